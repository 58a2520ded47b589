/** Addresses of uploads, as callers are told them: on the host that they called. */
import type { Upload } from '../../model/upload.ts'
import type { Caller } from './caller.ts'

/** `path`: what follows the upload's own address, such as `/complete`. */
export function addressOf({ origin }: Caller, { id, signature }: Upload, path = ''): string {
  return `${origin}/uploads/${id}${path}?signature=${signature}`
}
