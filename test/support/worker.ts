/** A worker program of a test's own: it says to a cloud what the SDK says, and nothing by itself. */
import type { Answer, Cloud, Headers } from './cloud.ts'

export interface TestWorker {
  /** Asks for a job; answered when there is one. */
  readonly take: (batchSize?: number) => Promise<Answer>
  readonly stop: () => Promise<Answer>
  readonly done: (jobId: string, body: unknown, query?: string) => Promise<Answer>
  readonly stream: (jobId: string, body: unknown) => Promise<Answer>
  readonly ping: (jobIds?: readonly string[]) => Promise<Answer>
}

/** Observed: JSON under a content type of forms, and a key without `Bearer`. */
const form = { 'content-type': 'application/x-www-form-urlencoded' }

export function createWorker(
  { send }: Pick<Cloud, 'send'>,
  endpointId: string,
  workerId: string,
  headers: Headers = { authorization: 'test-key' },
): TestWorker {
  const at = (word: string, rest = '') =>
    `/v2/${endpointId}/${word}/${workerId}${rest}?gpu=NVIDIA+RTX+4090`
  const get = (target: string) => send('GET', target, undefined, headers)
  const post = (target: string, body: unknown) =>
    send('POST', target, body, { ...headers, ...form })
  return {
    take: (batchSize) =>
      batchSize === undefined
        ? get(`${at('job-take')}&job_in_progress=0`)
        : get(`${at('job-take-batch')}&batch_size=${batchSize}&job_in_progress=0`),
    stop: () => get(at('job-stop')),
    done: (jobId, body, query = 'isStream=false') =>
      post(`${at('job-done', `/${jobId}`)}&${query}`, body),
    stream: (jobId, body) => post(`${at('job-stream', `/${jobId}`)}&isStream=false`, body),
    ping: (jobIds = []) => {
      const named = jobIds.length === 0 ? '' : `&job_id=${jobIds.join(',')}`
      return get(`${at('ping')}${named}&runpod_version=1.12.0`)
    },
  }
}
