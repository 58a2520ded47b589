/** The command for clients with hard-coded hosts: the authority, the variables, TLS. */
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { run, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'
import { send, through } from './support/proxied.ts'

const home = temporaryFolder('data')
const files = join(home, 'compute-emulator', 'ca')

test('ca makes an authority where the user’s data is, and finds it again', async () => {
  const first = await run(['ca', '--json'], { XDG_DATA_HOME: home })
  expect(JSON.parse(first.stdout)).toEqual({
    certificate: join(files, 'ca.pem'),
    key: join(files, 'ca-key.pem'),
    isNew: true,
    validUntil: expect.stringMatching(/^20\d\d-/),
  })
  expect(statSync(join(files, 'ca-key.pem')).mode & 0o777).toBe(0o600)
  const { stdout, code } = await run(['ca'], { XDG_DATA_HOME: home })
  expect(code).toBe(0)
  expect(stdout).toContain('was there already')
  for (const variable of ['NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE']) {
    expect(stdout).toContain(`export ${variable}='${join(files, 'ca.pem')}'`)
  }
})

test('a directory that cannot be had, or whose files do not belong together, is said to be so', async () => {
  const file = await run(['ca', '--ca-dir', '/dev/null/ca'])
  expect([file.code, file.stderr]).toEqual([1, expect.stringContaining('/dev/null/ca')])
  const mixed = temporaryFolder('data')
  await run(['ca', '--ca-dir', mixed])
  copyFileSync(join(files, 'ca-key.pem'), join(mixed, 'ca-key.pem'))
  const { code, stderr } = await run(['ca', '--ca-dir', mixed])
  expect([code, stderr]).toEqual([1, expect.stringContaining('compute-emulator ca --renew')])
  expect((await run(['ca', '--ca-dir', mixed, '--renew'])).code).toBe(0)
})

test('env proxy points every client of a shell at the proxy, with that authority', async () => {
  const { stdout } = await run(['env', 'proxy', '--json'], { XDG_DATA_HOME: home })
  expect(JSON.parse(stdout)).toMatchObject({
    HTTPS_PROXY: 'http://127.0.0.1:4300',
    NODE_EXTRA_CA_CERTS: join(files, 'ca.pem'),
    NO_PROXY: expect.stringContaining('127.0.0.1'),
  })
})

test('start is a proxy as it is, and answers TLS with --tls', async () => {
  await run(['ca'], { XDG_DATA_HOME: home })
  const { first, stop } = await start(['--tls'], { XDG_DATA_HOME: home })
  const ca = readFileSync(join(files, 'ca.pem'))
  const port = Number(first.port)
  const proxied = await through(port, ca, 'https://rest.runpod.io/v1/pods/demopod')
  expect(proxied.status).toBe(200)
  const headers = { host: 'rest.runpod.io', authorization: 'Bearer k' }
  const path = '/v1/pods/demopod'
  const direct = request({ host: '127.0.0.1', port, path, ca, headers, servername: headers.host })
  expect((await send(direct)).status).toBe(200)
  expect(await stop()).toMatchObject({ code: 0 })
})

test('start --tls without an authority says how to make one', async () => {
  const nowhere = temporaryFolder('data')
  const { code, stderr } = await run(['start', '--port', '0', '--tls'], { XDG_DATA_HOME: nowhere })
  expect([code, stderr]).toEqual([2, expect.stringContaining('compute-emulator ca')])
})
