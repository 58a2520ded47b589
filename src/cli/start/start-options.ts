/** The options of `start`: a table that the fast parser, yargs and the help all read. */
import { podBackends } from '../../model/pod.ts'
import { restV1Modes } from '../../model/settings.ts'
import type { Options } from '../options.ts'

const fromEnvironment = true

export const startOptions = {
  port: {
    type: 'number',
    describe: 'Port to answer on; 0 for any that is free',
    default: 4300,
    range: [0, 65_535],
    whole: true,
    fromEnvironment,
  },
  host: {
    type: 'string',
    describe: 'Address to bind; localhost is both loopback families',
    default: 'localhost',
    fromEnvironment,
  },
  'allow-host': {
    type: 'string',
    describe: "Name that callers may know this machine by; '*' for any",
    repeatable: true,
    fromEnvironment,
  },
  tls: {
    type: 'boolean',
    describe: "Answer TLS on the same port, for the cloud's host names and loopback",
    fromEnvironment,
  },
  'ca-dir': {
    type: 'string',
    describe: "Directory of the local authority, if it is not where 'ca' puts it",
    fromEnvironment,
  },
  'allow-origin': {
    type: 'string',
    describe: 'Origin whose pages may call and read, such as http://localhost:3000',
    repeatable: true,
    fromEnvironment,
  },
  bound: {
    type: 'string',
    describe: "What callers may take, as name=value; 'compute-emulator bounds' lists them",
    repeatable: true,
    fromEnvironment,
  },
  'webhook-target': {
    type: 'string',
    describe: 'Where webhooks may go: a host, *.host or loopback; anywhere unless said',
    repeatable: true,
    fromEnvironment,
  },
  clock: {
    type: 'string',
    describe: 'How virtual time moves',
    default: 'real',
    choices: ['real', 'manual', 'auto'],
    fromEnvironment,
  },
  speed: {
    type: 'number',
    describe: 'Virtual seconds in a real one, with the clock real',
    default: 1,
    range: [0.001, 1_000_000],
    fromEnvironment,
  },
  'start-at': {
    type: 'string',
    describe: 'Virtual time at the beginning, RFC 3339; real begins now, the others with 2026',
    fromEnvironment,
  },
  profile: {
    type: 'string',
    describe: 'How long things take: instant, fast, realistic, or one of your fixtures',
    default: 'fast',
    fromEnvironment,
  },
  world: {
    type: 'string',
    describe: 'What there is at the beginning',
    default: 'default',
    fromEnvironment,
  },
  scenario: {
    type: 'string',
    describe: 'Scenario to play for clients to meet; decides seed, profile, world and limits',
    fromEnvironment,
  },
  seed: {
    type: 'string',
    describe: 'Decides every id, draw and choice',
    default: '0',
    fromEnvironment,
  },
  fixtures: {
    type: 'string',
    describe: 'Directory laid over the built-in fixtures; may be repeated',
    repeatable: true,
    fromEnvironment,
  },
  handler: {
    type: 'string',
    describe: "An endpoint's handler: demo=slow, or demo=FILE of tests; may be repeated",
    repeatable: true,
    fromEnvironment,
  },
  worker: {
    type: 'string',
    describe: "An endpoint's workers: demo='python -u handler.py', docker[:IMAGE], http://…",
    repeatable: true,
    // Commands have commas in them.
    separator: '\n',
    fromEnvironment,
  },
  'worker-checks': {
    type: 'boolean',
    describe: 'Let those workers check memory, disk, network and GPU as they start',
    fromEnvironment,
  },
  pods: {
    type: 'string',
    describe: 'What runs as pods that callers make; docker for a container each',
    default: 'simulated',
    choices: podBackends,
    fromEnvironment,
  },
  'docker-network': {
    type: 'string',
    describe: 'What containers are connected to: host, bridge, or one of your own',
    fromEnvironment,
  },
  auth: {
    type: 'string',
    describe: 'Whether keys that no fixture lists are let in',
    otherwise: 'any',
    choices: ['any', 'strict'],
    fromEnvironment,
  },
  isolate: {
    type: 'boolean',
    describe: 'Give each key that no fixture lists a world of its own',
    fromEnvironment,
  },
  limits: {
    type: 'string',
    describe: 'Rate and payload limits of endpoints; on with profile realistic, else off',
    choices: ['on', 'off'],
    fromEnvironment,
  },
  'rest-v1': {
    type: 'string',
    describe: 'Whether REST v1 announces its end, or has ended; by-date as the clock says',
    otherwise: 'deprecated',
    choices: restV1Modes,
    fromEnvironment,
  },
  introspection: {
    type: 'string',
    describe: 'Whether GraphQL tells its schema to tools; off is what the cloud does',
    otherwise: 'on',
    choices: ['on', 'off'],
    fromEnvironment,
  },
  fidelity: {
    type: 'string',
    describe: "Fidelity switch as name=value; 'compute-emulator fidelity' lists them",
    repeatable: true,
    fromEnvironment,
  },
  data: {
    type: 'string',
    describe: 'Directory that keeps everything, for the next start to go on with',
    fromEnvironment,
  },
  'keep-requests': {
    type: 'number',
    describe: 'Requests that stay in the log',
    otherwise: 1_000,
    range: [0, 1_000_000],
    whole: true,
    fromEnvironment,
  },
  'log-level': {
    type: 'string',
    describe: 'Requests to log; error those that failed here, debug with their caller',
    default: 'info',
    choices: ['silent', 'error', 'info', 'debug'],
    fromEnvironment,
  },
  detach: {
    type: 'boolean',
    describe: "Go on in the background, once it answers; see 'logs' and 'stop'",
  },
  json: {
    type: 'boolean',
    describe: 'Print one JSON object a line',
    fromEnvironment,
  },
} as const satisfies Options
