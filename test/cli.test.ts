/** The command line without an emulator: help, mistakes, and what it prints by itself. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { authorityFiles } from '../src/adapters/tls/authority.ts'
import { clients } from '../src/cli/clients.ts'
import { run } from './support/command.ts'

const nobody = { COMPUTE_EMULATOR_URL: 'http://127.0.0.1:9' }

test('--help lists every command', async () => {
  const { code, stdout } = await run(['--help'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
"compute-emulator <command>

Runpod's GPU cloud on one machine: offline, deterministic.

Commands:
  compute-emulator start                  Start an emulator
  compute-emulator stop                   Stop an emulator that was started with --detach
  compute-emulator logs                   Print what an emulator says that was started with
                                          --detach
  compute-emulator dev <file>             Run a handler behind an endpoint of its own, and again
                                          when its files change
  compute-emulator status                 Say what time it is and what there is
  compute-emulator wait                   Wait until the emulator is ready
  compute-emulator clock                  Read virtual time and move it
  compute-emulator explain <what> <id>    Say why a job waits or ended, or why an endpoint
                                          scales
  compute-emulator snapshot               Keep worlds and go back to them
  compute-emulator fork <key>             Give a key a world of its own, a copy of this one
  compute-emulator accounts               List worlds and the keys that open them
  compute-emulator reset                  Put the world back to its start state
  compute-emulator scenario               Play scenarios, check them, list them
  compute-emulator cost                   See what was paid, and what might have been
  compute-emulator fixtures               Make fixtures of your own
  compute-emulator schema [name]          Print the JSON Schemas of fixtures
  compute-emulator env [client]           Print the variables that point clients at the emulator
  compute-emulator ca                     Make the local authority for the cloud's host names,
                                          and say how to trust it
  compute-emulator worker-env <endpoint>  Print the variables with which a program joins an
                                          endpoint as a worker
  compute-emulator fidelity               List the fidelity switches, and the GraphQL fields
                                          that are refused
  compute-emulator bounds                 List what callers may take at most
  compute-emulator requests               List the last requests, oldest first
  compute-emulator verify                 Check that requests came as expected
  compute-emulator migration              List what is used of REST v1 and GraphQL, and what
                                          becomes of it
  compute-emulator timeline               Read, follow and compare what happened
  compute-emulator webhooks               List webhook deliveries and their answers
  compute-emulator faults                 Make things go wrong, and right again
  compute-emulator capacity               See what data centers have free and ask, and change it
  compute-emulator health                 Exit with 0 when the emulator is ready
  compute-emulator doctor                 Look at this machine: ports, names, proxies,
                                          leftovers, Python, containers
  compute-emulator completion <shell>     Print what makes a shell complete commands, options
                                          and names

Options:
  -v, --version  Show version number                                                   [boolean]
  -h, --help     Show help                                                             [boolean]

Begin with: compute-emulator start
"
`)
})

test('start --help lists every option', async () => {
  const { stdout } = await run(['start', '--help'])
  expect(stdout).toMatchInlineSnapshot(`
"compute-emulator start [options]

Start an emulator

Options:
  -h, --help            Show help                                                      [boolean]
      --port            Port to answer on; 0 for any that is free                [default: 4300]
      --host            Address to bind; localhost is both loopback families
                                                                   [string] [default: localhost]
      --allow-host      Name that callers may know this machine by; '*' for any          [array]
      --tls             Answer TLS on the same port, for the cloud's host names and loopback
                                                                                       [boolean]
      --ca-dir          Directory of the local authority, if it is not where 'ca' puts it
                                                                                        [string]
      --allow-origin    Origin whose pages may call and read, such as http://localhost:3000
                                                                                         [array]
      --bound           What callers may take, as name=value; 'compute-emulator bounds' lists
                        them                                                             [array]
      --webhook-target  Where webhooks may go: a host, *.host or loopback; anywhere unless said
                                                                                         [array]
      --clock           How virtual time moves: real, manual, auto      [string] [default: real]
      --speed           Virtual seconds in a real one, with the clock real          [default: 1]
      --start-at        Virtual time at the beginning, RFC 3339; real begins now, the others
                        with 2026                                                       [string]
      --profile         How long things take: instant, fast, realistic, or one of your fixtures
                                                                        [string] [default: fast]
      --world           What there is at the beginning               [string] [default: default]
      --scenario        Scenario to play for clients to meet; decides seed, profile, world and
                        limits                                                          [string]
      --seed            Decides every id, draw and choice                  [string] [default: 0]
      --fixtures        Directory laid over the built-in fixtures; may be repeated       [array]
      --handler         An endpoint's handler: demo=slow, or demo=FILE of tests; may be repeated
                                                                                         [array]
      --worker          An endpoint's workers: demo='python -u handler.py', docker[:IMAGE],
                        http://…                                                         [array]
      --worker-checks   Let those workers check memory, disk, network and GPU as they start
                                                                                       [boolean]
      --pods            What runs as pods that callers make; docker for a container each:
                        simulated, docker                          [string] [default: simulated]
      --docker-network  What containers are connected to: host, bridge, or one of your own
                                                                                        [string]
      --auth            Whether keys that no fixture lists are let in: any, strict
                                                                         [string] [default: any]
      --isolate         Give each key that no fixture lists a world of its own         [boolean]
      --limits          Rate and payload limits of endpoints; on with profile realistic, else
                        off: on, off                                                    [string]
      --rest-v1         Whether REST v1 announces its end, or has ended; by-date as the clock
                        says: active, deprecated, retired, by-date[string] [default: deprecated]
      --introspection   Whether GraphQL tells its schema to tools; off is what the cloud does:
                        on, off                                           [string] [default: on]
      --fidelity        Fidelity switch as name=value; 'compute-emulator fidelity' lists them
                                                                                         [array]
      --data            Directory that keeps everything, for the next start to go on with
                                                                                        [string]
      --keep-requests   Requests that stay in the log                            [default: 1000]
      --log-level       Requests to log; error those that failed here, debug with their caller:
                        silent, error, info, debug                      [string] [default: info]
      --detach          Go on in the background, once it answers; see 'logs' and 'stop'[boolean]
      --json            Print one JSON object a line                                   [boolean]

Examples:
  compute-emulator start                          On port 4300, in real time
  compute-emulator start --clock manual --seed 7  Time stands still until it is told
  compute-emulator start --port 0 --json          For programs: the first line says which port

Each option may be a variable instead: COMPUTE_EMULATOR_START_AT for --start-at.
"
`)
})

test('clock --help lists what can be done with time', async () => {
  const { stdout } = await run(['clock', '--help'])
  expect(stdout).toMatchInlineSnapshot(`
"compute-emulator clock [command]

Read virtual time and move it; 'get' unless said

Commands:
  compute-emulator clock get                    Say what time it is and how time moves
  compute-emulator clock advance <by>           Let virtual time pass
  compute-emulator clock set <to>               Let virtual time pass until an instant
  compute-emulator clock run-until <condition>  Let virtual time pass until a condition holds
  compute-emulator clock pause                  Stop virtual time where it is
  compute-emulator clock resume                 Let virtual time flow on from where it stopped
  compute-emulator clock speed <factor>         Set how many virtual seconds pass in a real one
  compute-emulator clock mode <mode>            Set how virtual time moves

Options:
  -h, --help  Show help                                                                [boolean]
      --url   Address of the emulator (COMPUTE_EMULATOR_URL)                            [string]
      --json  Print the emulator's answer as it is                                     [boolean]
"
`)
})

test('clock advance --help shows how a span is written', async () => {
  const { stdout } = await run(['clock', 'advance', '--help'])
  expect(stdout).toMatchInlineSnapshot(`
"compute-emulator clock advance <by> [options]

Let virtual time pass

Positionals:
  by  A span: 250ms, 90s, 1h30m, 2d                                          [string] [required]

Options:
  -h, --help  Show help                                                                [boolean]
      --url   Address of the emulator (COMPUTE_EMULATOR_URL)                            [string]
      --json  Print the emulator's answer as it is                                     [boolean]

Examples:
  compute-emulator clock advance 90s  Everything due in 90 seconds happens
"
`)
})

test('--version is the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

// prettier-ignore
test.each([
  ['no command', [], 'a command is missing\nSee: compute-emulator --help\n'],
  ['a command misspelt', ['strat'], 'Did you mean start?\nSee: compute-emulator --help\n'],
  [
    'an unknown option',
    ['start', '--prot', '1'],
    'Unknown argument: prot\nSee: compute-emulator start --help\n',
  ],
  [
    'an option without value',
    ['start', '--port'],
    'Not enough arguments following: port\nSee: compute-emulator start --help\n',
  ],
  [
    'a port that is none',
    ['start', '--port', 'x'],
    "--port takes a whole number from 0 to 65535, not 'x'\n",
  ],
  [
    'a port that is too high',
    ['start', '--port', '65536'],
    "--port takes a whole number from 0 to 65535, not '65536'\n",
  ],
  [
    'a clock there is not',
    ['start', '--clock', 'x'],
    "--clock takes real, manual or auto, not 'x'\n",
  ],
  [
    'no speed at all',
    ['start', '--speed', '0'],
    "--speed takes a number from 0.001 to 1000000, not '0'\n",
  ],
  [
    'a time without its zone',
    ['start', '--start-at', '2026-01-01T00:00'],
    "--start-at takes an instant such as 2026-01-01T12:00:00Z, not '2026-01-01T00:00'\n",
  ],
  [
    'a profile there is not',
    ['start', '--profile', 'x'],
    "there is no profile 'x'; there are: fast, instant, realistic\n",
  ],
  [
    'a world there is not',
    ['start', '--world', 'x'],
    "there is no world 'x'; there are: default, empty\n",
  ],
  [
    'an endpoint without a handler',
    ['start', '--handler', 'demo'],
    "--handler takes an endpoint and its handler, as in demo=slow, not 'demo'\n",
  ],
  [
    'a handler there is not',
    ['start', '--handler', 'demo=slov'],
    "there is no handler 'slov'; did you mean 'slow'?\n",
  ],
  [
    'an endpoint there is not',
    ['start', '--handler', 'demoo=slow'],
    "there is no endpoint 'demoo'; did you mean 'demo'?\n",
  ],
  [
    'a file there is not',
    ['start', '--handler', 'demo=no/tests.json'],
    "there is no file 'no/tests.json' of tests\n",
  ],
  [
    'a switch there is not',
    ['start', '--fidelity', 'x=y'],
    "there is no fidelity switch 'x'; see: compute-emulator fidelity\n",
  ],
  [
    'a value no switch has',
    ['start', '--fidelity', 'deleteEndpoint=x'],
    "--fidelity deleteEndpoint takes scaled-to-zero or always, not 'x'\n",
  ],
  [
    'a bound there is not',
    ['start', '--bound', 'x=1'],
    "there is no bound 'x'; see: compute-emulator bounds\n",
  ],
  [
    'a value no bound has',
    ['start', '--bound', 'connections=0'],
    "--bound connections takes a whole number from 1 to 65535, not '0'\n",
  ],
  [
    'an origin that is none',
    ['start', '--port', '0', '--allow-origin', 'app.example'],
    "'app.example' is no origin; write http://localhost:3000\n",
  ],
  [
    'a target of webhooks that is none',
    ['start', '--webhook-target', 'http://x/'],
    "'http://x/' is no target of webhooks; write hooks.example.com, *.example.com or loopback\n",
  ],
  ['a shell that is not known', ['completion', 'x'], "shell takes bash, zsh or fish, not 'x'\n"],
  ['a span that is none', ['wait', '--timeout', 'x'], "'x' is not a span of time; write 30s\n"],
  [
    'an address that is none',
    ['status', '--url', 'x'],
    "'x' is not an address; write --url http://127.0.0.1:4300\n",
  ],
  [
    'a word too few',
    ['clock', 'advance'],
    'Not enough non-option arguments: got 0, need at least 1\nSee: compute-emulator clock advance --help\n',
  ],
])('%s is misuse and says what would be right', async (_what, args, stderr) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr })
})

test('a variable is read like its option, and blamed by its own name', async () => {
  const { code, stderr } = await run(['start'], { COMPUTE_EMULATOR_PORT: 'x' })
  expect(stderr).toBe("COMPUTE_EMULATOR_PORT takes a whole number from 0 to 65535, not 'x'\n")
  expect(code).toBe(2)
})

test('fixtures that are wrong are misuse, and said with their place', async () => {
  const { code, stdout, stderr } = await run(['start', '--fixtures', '/nowhere'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe('/nowhere: no such directory\nThe fixtures were not loaded.\n')
})

test('a port that is taken is refused in one sentence that names the way out', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
  const { code, stdout, stderr } = await run(['start', '--port', String(port)])
  taken.close()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    `port ${port} is taken; start with --port 0 for a free one, or another --port\n`,
  )
})

test.each([['status'], ['clock'], ['reset'], ['requests'], ['timeline'], ['health']])(
  '%s is refused where no emulator is, and names the command that starts one',
  async (command) => {
    const stderr =
      'no emulator answers at http://127.0.0.1:9; start one with: compute-emulator start\n'
    expect(await run([command], nobody)).toEqual({ code: 1, stdout: '', stderr })
  },
)

test('wait gives up when its time is over', async () => {
  const { code, stderr } = await run(['wait', '--timeout', '60ms'], nobody)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^not ready after 60 ms: no emulator answers at http:\/\/127\.0\.0\.1:9;/)
})

test('env prints assignments that a shell can evaluate', async () => {
  const { code, stdout } = await run(['env', 'runpodctl', '--url', 'http://127.0.0.1:1234/'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
"export RUNPOD_API_KEY="\${RUNPOD_API_KEY:-emulator}"

# runpodctl: runpodctl 2.7 and later
export RUNPOD_API_URL='http://127.0.0.1:1234/v1'
export RUNPOD_GRAPHQL_URL='http://127.0.0.1:1234/graphql'
export RUNPOD_INVOKE_URL='http://127.0.0.1:1234/v2'
"
`)
})

test('env says in a comment what has to be done in code', async () => {
  const { stdout } = await run(['env', 'js-sdk'], { COMPUTE_EMULATOR_PORT: '5000' })
  expect(stdout).toContain(
    "# in code: runpodSdk(process.env.RUNPOD_API_KEY, { baseUrl: 'http://127.0.0.1:5000/v2' })\n",
  )
})

test('env leaves out of a shared shell what would change other programs', async () => {
  const { stdout } = await run(['env', '--json'])
  const variables = JSON.parse(stdout) as Record<string, string>
  expect(variables).toMatchObject({
    RUNPOD_API_BASE_URL: 'http://127.0.0.1:4300',
    RUNPOD_ENDPOINT_BASE_URL: 'http://127.0.0.1:4300/v2',
  })
  expect(Object.keys(variables)).not.toContain('OPENAI_BASE_URL')
  expect(Object.keys(variables)).not.toContain('RUNPOD_WEBHOOK_GET_JOB')
})

test('env prints for each client what a shell can evaluate, and nothing but assignments', async () => {
  const { certificate: caFile } = authorityFiles('/ca')
  const place = { url: 'http://127.0.0.1:1234', endpointId: 'demo', caFile }
  for (const { name, variables } of clients) {
    const { code, stdout: printed } = await run([
      'env',
      name,
      '--url',
      place.url,
      '--ca-dir',
      '/ca',
    ])
    expect([name, code]).toEqual([name, 0])
    const {
      status,
      stderr,
      stdout: told,
    } = spawnSync('/bin/sh', ['-ec', `${printed}\nenv`], { encoding: 'utf8', env: {} })
    expect([name, status, stderr]).toEqual([name, 0, ''])
    const wanted = { RUNPOD_API_KEY: 'emulator', ...variables(place) }
    const lines = Object.entries(wanted).map(([variable, value]) => `${variable}=${value}`)
    expect(told.split('\n')).toEqual(expect.arrayContaining(lines))
  }
})

test('env of workers keeps the placeholders of the worker SDK', async () => {
  const { stdout } = await run(['env', 'workers', '--endpoint', 'e1'])
  expect(stdout).toContain(
    "export RUNPOD_WEBHOOK_POST_OUTPUT='http://127.0.0.1:4300/v2/e1/job-done/worker1/$ID?gpu=",
  )
})

test('fidelity lists each switch with its default first, and each field that is refused', async () => {
  const { stdout } = await run(['fidelity', '--json'])
  const { switches, refusedFields } = JSON.parse(stdout)
  expect(refusedFields.podReset.hardReset).toMatch(/no document/i)
  expect(switches.deleteEndpoint).toMatchObject({
    default: 'scaled-to-zero',
    values: ['scaled-to-zero', 'always'],
  })
  const { stdout: text } = await run(['fidelity'])
  expect(text).toContain('deleteEndpoint\n  scaled-to-zero (default), always\n')
  expect(text).toContain('graphql.podReset.hardReset\n  refused: ')
})
