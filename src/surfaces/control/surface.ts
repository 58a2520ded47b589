/** The control API as a surface. It needs no key: it is the emulator's own, on this machine. */
import { CloudError } from '../../model/errors.ts'
import { bearerKey } from '../http/access.ts'
import type { Operation } from '../http/operation.ts'
import type { Surface } from '../http/surface.ts'
import type { Controls } from './controls.ts'
import { renderControlBug, renderControlError } from './errors.ts'
import { controlOperations } from './operations.ts'

/** `pages`: what else is served beside the API. */
export function controlSurface(controls: Controls, pages: readonly Operation[] = []): Surface {
  let operations: readonly Operation[] | undefined
  return {
    name: 'control',
    /** Made when somebody first asks: forks for tests are many, and few are asked. */
    get operations() {
      operations ??= [...controlOperations(controls), ...pages]
      return operations
    },
    keyOf: (headers) => bearerKey(headers.authorization),
    bodyLimit: 1_048_576,
    renderError: renderControlError,
    renderBug: renderControlBug,
    unknownPath: (method, path) =>
      new CloudError('not_found', `nothing answers ${method} ${path}; GET / lists what does`),
  }
}
