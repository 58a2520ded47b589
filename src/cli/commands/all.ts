/** Every command, in the order in which the help lists them. */
import type { Command, CommandGroup } from '../command.ts'
import { accounts } from './accounts.ts'
import { bounds } from './bounds.ts'
import { ca } from './ca.ts'
import { capacityGet } from './capacity-get.ts'
import { capacityPrices } from './capacity-prices.ts'
import { capacitySet } from './capacity-set.ts'
import { capacitySetCuda } from './capacity-set-cuda.ts'
import { capacitySetPrice } from './capacity-set-price.ts'
import { clockAdvance } from './clock-advance.ts'
import { clockGet } from './clock-get.ts'
import { clockMode } from './clock-mode.ts'
import { clockPause } from './clock-pause.ts'
import { clockResume } from './clock-resume.ts'
import { clockRunUntil } from './clock-run-until.ts'
import { clockSet } from './clock-set.ts'
import { clockSpeed } from './clock-speed.ts'
import { completion } from './completion.ts'
import { costReport } from './cost-report.ts'
import { costWhatIf } from './cost-what-if.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { env } from './env.ts'
import { explain } from './explain.ts'
import { faultsAdd } from './faults-add.ts'
import { faultsClear } from './faults-clear.ts'
import { faultsList } from './faults-list.ts'
import { faultsRemove } from './faults-remove.ts'
import { fidelity } from './fidelity.ts'
import { fixturesInit } from './fixtures-init.ts'
import { fork } from './fork.ts'
import { health } from './health.ts'
import { logs } from './logs.ts'
import { migration } from './migration.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import { scenarioList } from './scenario-list.ts'
import { scenarioRun } from './scenario-run.ts'
import { scenarioValidate } from './scenario-validate.ts'
import { schema } from './schema.ts'
import { snapshotDelete } from './snapshot-delete.ts'
import { snapshotList } from './snapshot-list.ts'
import { snapshotLoad } from './snapshot-load.ts'
import { snapshotSave } from './snapshot-save.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { timelineDiff } from './timeline-diff.ts'
import { timelineFollow } from './timeline-follow.ts'
import { timelineGet } from './timeline-get.ts'
import { verify } from './verify.ts'
import { wait } from './wait.ts'
import { webhooks } from './webhooks.ts'
import { workerEnv } from './worker-env.ts'

const clock: CommandGroup = {
  name: 'clock',
  summary: 'Read virtual time and move it',
  commands: [
    clockGet,
    clockAdvance,
    clockSet,
    clockRunUntil,
    clockPause,
    clockResume,
    clockSpeed,
    clockMode,
  ],
  byDefault: clockGet,
}

const capacity: CommandGroup = {
  name: 'capacity',
  summary: 'See what data centers have free and ask, and change it',
  commands: [capacityGet, capacitySet, capacityPrices, capacitySetPrice, capacitySetCuda],
  byDefault: capacityGet,
}

const timeline: CommandGroup = {
  name: 'timeline',
  summary: 'Read, follow and compare what happened',
  commands: [timelineGet, timelineFollow, timelineDiff],
  byDefault: timelineGet,
}

const snapshot: CommandGroup = {
  name: 'snapshot',
  summary: 'Keep worlds and go back to them',
  commands: [snapshotList, snapshotSave, snapshotLoad, snapshotDelete],
  byDefault: snapshotList,
}

const faults: CommandGroup = {
  name: 'faults',
  summary: 'Make things go wrong, and right again',
  commands: [faultsList, faultsAdd, faultsRemove, faultsClear],
  byDefault: faultsList,
}

const scenario: CommandGroup = {
  name: 'scenario',
  summary: 'Play scenarios, check them, list them',
  commands: [scenarioRun, scenarioValidate, scenarioList],
  byDefault: scenarioList,
}

const fixtures: CommandGroup = {
  name: 'fixtures',
  summary: 'Make fixtures of your own',
  commands: [fixturesInit],
  byDefault: fixturesInit,
}

const cost: CommandGroup = {
  name: 'cost',
  summary: 'See what was paid, and what might have been',
  commands: [costReport, costWhatIf],
  byDefault: costReport,
}

export const commands: readonly (Command | CommandGroup)[] = [
  start,
  stop,
  logs,
  dev,
  status,
  wait,
  clock,
  explain,
  snapshot,
  fork,
  accounts,
  reset,
  scenario,
  cost,
  fixtures,
  schema,
  env,
  ca,
  workerEnv,
  fidelity,
  bounds,
  requests,
  verify,
  migration,
  timeline,
  webhooks,
  faults,
  capacity,
  health,
  doctor,
  completion,
]
