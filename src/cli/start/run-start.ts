/** Runs an emulator until it is told to stop: what `start` does, and all that it has to load. */
import { describeBug } from '../../emulator/report-bug.ts'
import { type ServedEmulator, type StartOptions, serve } from '../../emulator/serve.ts'
import { exitCodes, type Failure, misused, refused } from '../failure.ts'
import type { Values } from '../options.ts'
import type { Output } from '../output.ts'
import { createRequestLines } from '../request-lines.ts'
import { describeStart, toStartJson } from './banner.ts'
import type { startOptions } from './start-options.ts'
import {
  readHandlers,
  readProtection,
  readSaid,
  readWorkers,
  requireOwnWorld,
} from './start-values.ts'

export type StartValues = Values<typeof startOptions>

/** Resolves when the emulator answers; it then runs until a signal comes. */
export async function runStart(values: StartValues, output: Output): Promise<void> {
  if (values.detach) {
    const { startDetached } = await import('../background/detach.ts')
    return startDetached(values, output)
  }
  if (values.scenario === undefined) {
    await begin(values, output, serve)
    return
  }
  requireOwnWorld(values)
  const { prepareScenario } = await import('./start-scenario.ts')
  const prepared = await prepareScenario(values.scenario, values, output)
  await begin({ ...values, ...prepared.decided }, output, prepared.start)
  prepared.play()
}

type Start = (options: StartOptions) => Promise<ServedEmulator>

async function begin(values: StartValues, output: Output, start: Start): Promise<void> {
  const { 'log-level': level, json } = values
  const running = await start(toStartOptions(values, output)).catch((error: unknown) => {
    throw toFailure(error, values)
  })
  for (const notice of running.emulator.notices) output.progress(notice)
  const startMs = running.clock.now()
  const report = () => toStartJson(running, values)
  if (json) output.result(report())
  else if (level !== 'silent') output.result(describeStart(running, values, output))
  const lines =
    level === 'silent' ? undefined : createRequestLines({ level, json, startMs }, output)
  if (lines !== undefined) running.emulator.requests.onRecord(lines.add)
  closeOnSignal(running, () => lines?.flush())
  if (process.send !== undefined) await tellParent(report())
}

/** Whoever started this in the background waits to hear that it answers; its output is then a log. */
async function tellParent(report: string): Promise<void> {
  const { keepShort } = await import('../background/log-file.ts')
  keepShort(process.stdout.fd)
  // One that is gone by now needs no answer.
  process.send?.(report, () => {})
}

function toStartOptions(values: StartValues, output: Output): StartOptions {
  const network = values['docker-network']
  const { port, host, clock, speed, profile, world, seed, fixtures } = values
  return {
    ...{ port, host, clock, speed, profile, world, seed, fixtures },
    ...readSaid(values),
    allowHosts: values['allow-host'],
    tls: values.tls,
    ...(values['ca-dir'] === undefined ? {} : { caDirectory: values['ca-dir'] }),
    allowOrigins: values['allow-origin'],
    ...readProtection(values),
    pods: values.pods,
    handlers: readHandlers(values.handler),
    workers: readWorkers(values.worker),
    workerChecks: values['worker-checks'],
    ...(network === undefined ? {} : { dockerNetwork: network }),
    ...(values.limits === undefined ? {} : { limits: values.limits }),
    ...(values.data === undefined ? {} : { data: values.data }),
    onBug: reportBug(output, values['log-level']),
  }
}

function reportBug(output: Output, level: StartValues['log-level']) {
  return (bug: unknown, operation: string) => {
    // What cannot be kept must not be answered; there is nothing left to do.
    if (bug instanceof Error && bug.name === 'DataError') {
      output.progress(bug.message)
      process.exit(exitCodes.refused)
    }
    if (level !== 'silent') output.progress(describeBug(bug, operation))
  }
}

/** What stands in the way of a start, in one sentence that names the way out. */
export function toFailure(
  error: unknown,
  { host, port }: Pick<StartValues, 'host' | 'port'>,
): Failure | unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'FixtureError')
    return misused(`${error.message}\nThe fixtures were not loaded.`)
  if (error.name === 'OptionError') return misused(error.message)
  if (error.name === 'DataError') return refused(error.message)
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return refused(`port ${port} is taken; start with --port 0 for a free one, or another --port`)
    case 'EACCES':
      return refused(`port ${port} is not yours to open; start with --port 0 or one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return refused(`'${host}' is no address of this machine; start with --host localhost`)
    default:
      return error
  }
}

/** Longer than this the end of a run must not take, whoever holds a connection. */
const closeLimitMs = 150
/** The same where programs have to end before, and containers to be removed. */
const closeWithProgramsMs = 8_000

/** `beforeExit` is called last. */
export function closeOnSignal(running: ServedEmulator, beforeExit: () => void): void {
  let closing = false
  const exit = () => {
    beforeExit()
    process.exit(exitCodes.done)
  }
  const close = () => {
    if (closing) process.exit(exitCodes.refused)
    closing = true
    const hasPrograms = running.emulator.programs.size > 0
    setTimeout(exit, hasPrograms ? closeWithProgramsMs : closeLimitMs)
    void running.close().finally(exit)
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
}
