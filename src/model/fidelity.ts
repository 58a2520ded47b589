/**
 * Switches for what the public documents leave open or contradict. Each has a default and a sentence
 * that says where it comes from; `compute-emulator fidelity` prints this table.
 */
export const fidelitySwitches = {
  deleteEndpoint: {
    values: ['scaled-to-zero', 'always'],
    why: 'Spec: GraphQL deletes an endpoint only when workersMin and workersMax are 0; some clients delete anyway.',
  },
  v1ErrorBody: {
    values: ['message', 'error-status'],
    why: 'Spec: a v1 error body is {"message"}; {"error", "status"} was observed.',
  },
  emptyInput: {
    values: ['drop', 'accept'],
    why: 'Observed: the platform drops {"input": {}} before the worker sees it, and the job fails after one retry.',
  },
  executionTimeoutStatus: {
    values: ['FAILED', 'TIMED_OUT'],
    why: 'Observed: FAILED with "executionTimeout exceeded"; the documents say TIMED_OUT.',
  },
  expiredInQueue: {
    values: ['removed', 'TIMED_OUT'],
    why: 'Spec: a job past its TTL is removed and answers 404; the page on job states says TIMED_OUT.',
  },
  extraWorkers: {
    values: ['none', 'two'],
    why: 'Observed: a full queue on warm workers stopped at the maximum; the documents allow two more where the image is cached.',
  },
  webhookSpacing: {
    values: ['growing', 'even'],
    why: 'Observed: a failed webhook came again after 5 s and then 15 s; the documents say 10 s each time.',
  },
  webhookSuccess: {
    values: ['2xx', '200'],
    why: 'Observed: any 2xx is taken as received; the documents ask for 200.',
  },
  webhookV2: {
    values: ['ignored', 'delivered'],
    why: 'Assumed: two clients can send it and no document says what it does; "delivered" posts the same body to it as to webhook.',
  },
  lbNoWorkerStatus: {
    values: ['400', '503'],
    why: 'Observed: 400 "timed out waiting for worker"; third-party fakes answer 503 "no workers available".',
  },
  portHealthDefault: {
    values: ['PORT', '80'],
    why: 'Spec: the guide says that PORT_HEALTH is PORT unless it is set; the API reference says 80.',
  },
  graphqlResumeCuda: {
    values: ['taken', 'unknown'],
    why: 'Spec: podResume takes allowedCudaVersions; a live probe was told that there is no such field.',
  },
  graphqlOutOfStock: {
    values: ['None', 'null'],
    why: 'Spec: stockStatus is High, Medium, Low or None; null was observed for what is sold out.',
  },
  graphqlBadKey: {
    values: ['401', '200'],
    why: 'Spec: a key that is not valid is 401; 200 with the error "Unauthorized" was observed.',
  },
  omittedGpuCount: {
    values: ['1', 'no-capacity'],
    why: 'Spec: gpu.count of a v2 pod is 1 when it is left out; a 400 "no instances available" was observed.',
  },
  omittedTimeout: {
    values: ['300000', '0'],
    why: 'Spec: timeout of a v2 endpoint is 300000 when it is left out; 0 was observed.',
  },
} as const satisfies Record<string, { values: readonly string[]; why: string }>

export type FidelitySwitch = keyof typeof fidelitySwitches
/** The value each switch has. */
export type Fidelity = {
  readonly [Name in FidelitySwitch]: (typeof fidelitySwitches)[Name]['values'][number]
}

/** Every switch at its first value. */
export const defaultFidelity = Object.fromEntries(
  Object.entries(fidelitySwitches).map(([name, { values }]) => [name, values[0]]),
) as unknown as Fidelity
