/** The local authority and what it vouches for, by the judgement of OpenSSL, which Node's TLS is made of. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type AddressInfo, isIP } from 'node:net'
import { join } from 'node:path'
import { checkServerIdentity, connect, createServer, type Server } from 'node:tls'
import { loadIdentity, prepareAuthority } from '../src/adapters/tls/authority.ts'
import { serverCertificate } from '../src/adapters/tls/certificate.ts'
import { temporaryFolder } from './support/folder.ts'

const newDirectory = () => join(temporaryFolder('ca'), 'ca')

test('an authority is made once, kept from others, and renewed when that is asked for', () => {
  const directory = newDirectory()
  const first = prepareAuthority(directory, false)
  expect(first.isNew).toBe(true)
  expect(statSync(first.key).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  const text = readFileSync(first.certificate, 'utf8')
  expect(prepareAuthority(directory, false)).toEqual({ ...first, isNew: false })
  expect(readFileSync(first.certificate, 'utf8')).toBe(text)
  expect(prepareAuthority(directory, true).isNew).toBe(true)
  expect(readFileSync(first.certificate, 'utf8')).not.toBe(text)
  const authority = new X509Certificate(text)
  expect(authority.ca).toBe(true)
  expect(authority.verify(authority.publicKey)).toBe(true)
})

test.each([
  ['api.runpod.io', true],
  ['demolb.api.runpod.ai', true],
  ['demopod-8888.proxy.runpod.net', true],
  ['localhost', true],
  ['127.0.0.1', true],
  ['console.runpod.io', false],
  ['example.com', false],
])('the identity of a server is good for %s: %s', async (name, isGood) => {
  const directory = newDirectory()
  const { certificate } = prepareAuthority(directory, false)
  const server = createServer(loadIdentity(directory))
  expect(await handshake(server, name, certificate)).toBe(
    isGood ? 'trusted' : 'ERR_TLS_CERT_ALTNAME_INVALID',
  )
})

test('without its authority a server is not trusted', async () => {
  const directory = newDirectory()
  prepareAuthority(directory, false)
  const other = prepareAuthority(newDirectory(), false)
  const server = createServer(loadIdentity(directory))
  expect(await handshake(server, 'api.runpod.io', other.certificate)).toMatch(
    /signature|self.signed|unable/,
  )
})

describe('a key that leaks is good for the cloud’s names and loopback alone', () => {
  const directory = newDirectory()
  const files = prepareAuthority(directory, false)
  const privateKey = createPrivateKey(readFileSync(files.key))
  const publicKey = createPublicKey(privateKey)
  const issuer = { name: 'compute-emulator local authority', privateKey, publicKey }
  const validity = { fromMs: Date.now() - 1_000, untilMs: Date.now() + 86_400_000 }

  test.each([
    ['api.runpod.io', 'trusted'],
    ['127.0.0.1', 'trusted'],
    ['example.com', 'permitted subtree violation'],
    ['runpod.io.example.com', 'permitted subtree violation'],
    ['10.0.0.1', 'permitted subtree violation'],
  ])('%s: %s', async (name, outcome) => {
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const names = isIP(name) === 0 ? { dns: [name], ip: [] } : { dns: [], ip: [name] }
    const cert = serverCertificate(issuer, own.publicKey, validity, names)
    const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    expect(await handshake(createServer({ cert, key }), name, files.certificate)).toBe(outcome)
  })
})

/** `trusted`, or what a client that trusts that authority has against it. */
async function handshake(server: Server, name: string, authority: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ca = readFileSync(authority)
  const servername = isIP(name) === 0 ? { servername: name } : {}
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca,
    ...servername,
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  })
  const outcome = await new Promise<string>((resolve) => {
    socket.once('secureConnect', () => resolve('trusted'))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? error.code : error.message)
    })
  })
  socket.destroy()
  server.close()
  return outcome
}
