/** Every command, in the order in which the help lists them. */
import type { Command, CommandGroup } from '../command.ts'
import { capacityGet } from './capacity-get.ts'
import { capacitySet } from './capacity-set.ts'
import { clockAdvance } from './clock-advance.ts'
import { clockGet } from './clock-get.ts'
import { clockMode } from './clock-mode.ts'
import { clockPause } from './clock-pause.ts'
import { clockResume } from './clock-resume.ts'
import { clockSet } from './clock-set.ts'
import { clockSpeed } from './clock-speed.ts'
import { env } from './env.ts'
import { explain } from './explain.ts'
import { fidelity } from './fidelity.ts'
import { health } from './health.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { timeline } from './timeline.ts'
import { wait } from './wait.ts'
import { webhooks } from './webhooks.ts'

const clock: CommandGroup = {
  name: 'clock',
  summary: 'Read virtual time and move it',
  commands: [clockGet, clockAdvance, clockSet, clockPause, clockResume, clockSpeed, clockMode],
  byDefault: clockGet,
}

const capacity: CommandGroup = {
  name: 'capacity',
  summary: 'See what data centers have free, and change it',
  commands: [capacityGet, capacitySet],
  byDefault: capacityGet,
}

export const commands: readonly (Command | CommandGroup)[] = [
  start,
  status,
  wait,
  clock,
  explain,
  reset,
  env,
  fidelity,
  requests,
  timeline,
  webhooks,
  capacity,
  health,
]
