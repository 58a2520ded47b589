/** How long everything takes. A profile gives each wait a value; no wait is a number in the code. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

const Ms = Type.Number({ minimum: 0 })

/** Not a tuple: JSON Schema spells tuples one way in draft 7 and another in 2020-12. */
const Range = Type.Unsafe<[number, number]>(Type.Array(Ms, { minItems: 2, maxItems: 2 }))

/** Milliseconds: a fixed number, or a distribution that the world's seed draws from. */
export const WaitTime = Type.Union([
  Ms,
  Type.Object(
    { uniform: Range },
    { additionalProperties: false, description: 'evenly between two times' },
  ),
  Type.Object(
    {
      lognormal: Type.Object(
        { p50: Type.Number({ exclusiveMinimum: 0 }), p95: Type.Number({ exclusiveMinimum: 0 }) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
])

const wait = (description: string): typeof WaitTime => ({ ...WaitTime, description })

export const Profile = Type.Object(
  {
    podPlacementMs: wait('PROVISIONING: finding a machine'),
    podBootMs: wait('STARTING: pulling the image and starting the container'),
    podReachableMs: wait('RUNNING: until its runtime is reported'),
    podPortsMs: wait('RUNNING: from its runtime until its ports are reported'),
    podServiceMs: wait('RUNNING: from its ports until its web server listens'),
    podStalePortsMs: wait('from the start of a stopped pod: how long its old ports are reported'),
    podMigrationMs: wait('PROVISIONING: until the data of the pod that migrates is there'),
    spotWarningMs: wait('from the signal to a spot pod that is reclaimed until it is killed'),
    clusterNetworkMs: wait('from the placement of a cluster until its network is there'),
    workerPlacementMs: wait('INITIALIZING: finding a machine for a worker'),
    imagePullMs: wait('INITIALIZING: pulling an image that the data center has not seen yet'),
    workerBootMs: wait('INITIALIZING: starting the container'),
    modelLoadMs: wait('INITIALIZING: until the handler is ready'),
    workerResumeMs: wait('INITIALIZING: bringing a parked worker back'),
    workerRestartMs: wait('UNHEALTHY: after the first crash; doubled with each further one'),
    workerRestartMaxMs: wait('UNHEALTHY: the longest wait between two restarts'),
    throttleRetryMs: wait('THROTTLED: until the next look for a machine'),
    scalerIntervalMs: wait('between two looks at a queue that waits'),
    jobExecutionMs: wait('how long a handler takes that names no delay of its own'),
    jobOverrunMs: wait('from the end of the time that a job has until the platform ends it'),
    balanceTickMs: wait('between two looks at the balance; 0 for always'),
    workerPingMs: wait('between two signs of life of a worker program, at least a second'),
    workerLostMs: wait('from a worker that went silent until its job is queued again'),
    webhookFirstRetryMs: wait('from a webhook that was not taken to the second attempt'),
    webhookSecondRetryMs: wait('from the second attempt to the third'),
    webhookTimeoutMs: wait('how long the receiver of a webhook may take to answer'),
    buildQueueMs: wait('PENDING: until a build begins'),
    buildMs: wait('BUILDING: making an image from a commit'),
    buildUploadMs: wait('UPLOADING: putting the image into the registry'),
    buildTestMs: wait('TESTING: running the tests of the repository'),
    requestServiceMs: wait('how long the web server of a worker or a pod takes to answer'),
    flashApprovalMs: wait('from a Flash client that asks for a key until somebody approves it'),
    healthPollMs: wait('between two looks at the health path of a load-balancing worker'),
  },
  { additionalProperties: false },
)
export type Profile = Static<typeof Profile>
export type Wait = keyof Profile
