/** What workers post about their jobs: progress, parts of a stream, results. */
import * as Type from '@sinclair/typebox'
import {
  type Reported,
  reportChunk,
  reportProgress,
  reportResult,
} from '../../domain/serverless/reports.ts'
import { CloudError } from '../../model/errors.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { renderJobError } from './errors.ts'

/** Observed: JSON, under a content type of forms. Anything else in it is left alone. */
const ReportBody = Type.Object({
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown({ description: 'Anything but a false value fails the job.' })),
  status: Type.Optional(Type.Unknown({ description: 'IN_PROGRESS for progress, not a result.' })),
  stopPod: Type.Optional(Type.Unknown({ description: 'True to have the worker replaced.' })),
})

const shared = {
  method: 'POST',
  tag: 'workers',
  needs: 'write',
  body: ReportBody,
  replies: { 200: { description: 'Noted.' } },
} as const

export function resultOperations(): Operation[] {
  return [
    defineOperation({
      ...shared,
      name: 'finishJob',
      path: '/v2/{endpointId}/job-done/{workerId}/{jobId}',
      summary: 'How a job ended, or how far it is.',
      handle: ({ world, params, body, search }) => {
        const { about, query } = readAbout(params, search)
        const { output, error, status, stopPod } = body
        if (status === 'IN_PROGRESS') {
          reportProgress(world, about, output)
          return ok({})
        }
        const isUncollected = query.get('isStream') === 'true' && isEmptyList(output)
        const taken = reportResult(world, about, {
          output: isUncollected ? undefined : output,
          error: error ? toText(error) : null,
          refresh: stopPod === true,
        })
        // Not thrown: the job has ended all the same.
        return taken ? ok({}) : renderJobError(tooLarge())
      },
    }),
    defineOperation({
      ...shared,
      name: 'streamJob',
      path: '/v2/{endpointId}/job-stream/{workerId}/{jobId}',
      summary: 'One part of what a job streams.',
      handle: ({ world, params, body, search }) => {
        reportChunk(world, readAbout(params, search).about, body.output)
        return ok({})
      },
    }),
  ]
}

const tooLarge = () => new CloudError('payload_too_large', 'bad request: the result is too large')

/** As in `workers.ts`, what the SDK appends may have landed in the path. */
function readAbout(
  { endpointId = '', workerId = '', jobId: last = '' }: Readonly<Record<string, string>>,
  search: string,
): { readonly about: Reported; readonly query: URLSearchParams } {
  const [jobId = '', ...misplaced] = last.split('&')
  const query = new URLSearchParams([search, ...misplaced].join('&'))
  return { about: { endpointId, workerId, jobId }, query }
}

/** Observed: a stream that was not collected has no output; the SDK posts an empty list for it. */
function isEmptyList(output: unknown): boolean {
  return Array.isArray(output) && output.length === 0
}

/** Some clients take nothing but a text here. */
function toText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error)
}
