/**
 * Where files are sent to and fetched from: the addresses that uploads are given. Each ends with a
 * signature, which is the only key it takes. The cloud's lie on a storage service; these are ours.
 */
import * as Type from '@sinclair/typebox'
import { finishModelUpload } from '../../domain/model-uploads.ts'
import { closeUpload, receivePart } from '../../domain/uploads.ts'
import { CloudError, notFound } from '../../model/errors.ts'
import { type Upload, uploadLimits } from '../../model/upload.ts'
import { badToken, noToken } from '../http/access.ts'
import { type Context, defineOperation } from '../http/operation.ts'
import type { Reply } from '../http/reply.ts'
import { usualStatuses } from '../http/statuses.ts'
import type { Surface } from '../http/surface.ts'

const Params = Type.Object({ uploadId: Type.String() })
const PartParams = Type.Object({ uploadId: Type.String(), part: Type.Integer() })
const row = {
  tag: 'uploads',
  needs: 'nothing',
  replies: { 200: { description: 'Done.' } },
} as const

const putWhole = defineOperation({
  ...row,
  name: 'putUpload',
  method: 'PUT',
  path: '/uploads/{uploadId}',
  summary: 'Takes a file in one piece.',
  params: Params,
  takesUpload: true,
  handle: (context) => take(context, 1),
})

const putPart = defineOperation({
  ...row,
  name: 'putUploadPart',
  method: 'PUT',
  path: '/uploads/{uploadId}/parts/{part}',
  summary: 'Takes one part of a file.',
  params: PartParams,
  takesUpload: true,
  handle: (context) => take(context, Number(context.params.part)),
})

const getWhole = defineOperation({
  ...row,
  name: 'getUpload',
  method: 'GET',
  path: '/uploads/{uploadId}',
  summary: 'Gives back a file that came in one piece.',
  params: Params,
  handle: (context) => {
    const { id, content } = requireUpload(context)
    if (content === null) throw notFound('content of upload', id)
    const bytes = Buffer.from(content, 'base64')
    return {
      status: 200,
      headers: { 'content-type': 'application/gzip', 'content-length': String(bytes.length) },
      verbatim: true,
      stream: (sink) => {
        sink.write(bytes)
        sink.end()
        return () => {}
      },
    }
  },
})

const complete = defineOperation({
  ...row,
  name: 'completeUpload',
  method: 'POST',
  path: '/uploads/{uploadId}/complete',
  summary: 'Says that all parts of a model were sent.',
  params: Params,
  handle: (context) => {
    const { id } = requireUpload(context)
    const { success, message } = finishModelUpload(context.world, id)
    return { status: success ? 200 : 409, body: { success, message } }
  },
})

const abort = defineOperation({
  ...row,
  name: 'abortUpload',
  method: 'DELETE',
  path: '/uploads/{uploadId}',
  summary: 'Gives an upload up.',
  params: Params,
  replies: { 204: { description: 'It is no more.' } },
  handle: (context) => {
    closeUpload(context.world, requireUpload(context).id)
    return { status: 204 }
  },
})

type UploadContext = Context<{ readonly uploadId: string }, unknown, unknown>

/** The bytes are gathered first; taking them is one turn. */
function take(context: UploadContext, part: number): Reply | Promise<Reply> {
  const { id } = requireUpload(context)
  const received = (bytes: Buffer): Reply => {
    const content = () => bytes.toString('base64')
    receivePart(context.world, id, part, { sizeBytes: bytes.length, content })
    return { status: 200, headers: { etag: `"${id}-${part}"` } }
  }
  const { upload, text } = context
  if (upload === undefined) return received(Buffer.from(text ?? ''))
  const parts: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    upload.read((bytes) => {
      if (bytes !== null) parts.push(bytes)
      else {
        try {
          resolve(context.turn(() => received(Buffer.concat(parts))))
        } catch (error) {
          reject(error)
        }
      }
    })
  })
}

function requireUpload({ world, params, search }: UploadContext): Upload {
  const signature = signatureOf(search)
  if (signature === undefined) throw noToken()
  const upload = world.uploads.require(params.uploadId)
  if (upload.signature !== signature) throw badToken()
  return upload
}

const signatureOf = (search: string) => new URLSearchParams(search).get('signature') ?? undefined

export const uploadsSurface: Surface = {
  name: 'uploads',
  operations: [putWhole, putPart, getWhole, complete, abort],
  keyOf: (_headers, search) => signatureOf(search),
  bodyLimit: uploadLimits.requestBytes,
  renderError: ({ code, message }) => ({ status: usualStatuses[code], body: { error: message } }),
  renderBug: () => ({ status: 500, body: { error: 'internal error' } }),
  unknownPath: (method, path) => new CloudError('not_found', `no upload answers ${method} ${path}`),
}
