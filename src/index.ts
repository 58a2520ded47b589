/** The library: what programs that embed an emulator import. The only file that re-exports. */
export { DataError } from './adapters/data/data-error.ts'
export { FixtureError, type Problem } from './adapters/fixtures/problem.ts'
export { guardHosts, type Interception } from './adapters/intercept/intercept.ts'
export { CloudCallError } from './adapters/intercept/names.ts'
export {
  type EmbeddedEmulator,
  type EmbedOptions,
  embedEmulator as createEmulator,
} from './emulator/embed.ts'
export type { Emulator } from './emulator/emulator.ts'
export { OptionError } from './emulator/option-error.ts'
export type { EmulatorOptions, KeepOptions } from './emulator/options.ts'
export type { RequestRecord } from './emulator/request-log.ts'
export type { RunningClock } from './emulator/running-clock.ts'
export type { StartOptions } from './emulator/serve.ts'
export { type RunningEmulator, startEmulator } from './emulator/start.ts'
export type { BoundName, Bounds } from './model/bounds.ts'
export { CloudError, type ErrorCode } from './model/errors.ts'
export type { Fidelity, FidelitySwitch } from './model/fidelity.ts'
export type { RestV1Mode } from './model/settings.ts'
export { type PlayOptions, playScenario } from './scenarios/library.ts'
export type { ScenarioFailure, ScenarioResult } from './scenarios/report.ts'
export type { ClockReport } from './surfaces/control/controls.ts'
export { version } from './version.ts'
