/** How each known client is pointed at another address: by variables, or by a line in code. */

export interface Client {
  readonly name: string
  readonly title: string
  /** What its variables are set to; `$ID` in a value is the client's own placeholder. */
  readonly variables: (place: Place) => Readonly<Record<string, string>>
  /** For clients that take their address from the program that uses them. */
  readonly code?: (place: Place) => string
  /** What it needs besides, or does not get. */
  readonly note?: string
  /** Not for a shell that other clients run in: it changes what they do. */
  readonly alone?: boolean
}

export interface Place {
  /** `http://127.0.0.1:4300` */
  readonly url: string
  readonly endpointId: string
  /** Certificate of the local authority. */
  readonly caFile: string
}

/** Any key will do, unless fixtures list the keys there are. */
export const anyKey = 'emulator'

const workerId = 'worker1'
const gpu = 'gpu=NVIDIA+RTX+4090'

export const clients: readonly Client[] = [
  {
    name: 'runpod-python',
    title: 'PyPI runpod',
    variables: ({ url }) => ({
      RUNPOD_API_BASE_URL: url,
      RUNPOD_ENDPOINT_BASE_URL: `${url}/v2`,
    }),
  },
  {
    name: 'js-sdk',
    title: 'npm runpod-sdk',
    variables: () => ({}),
    code: ({ url }) => `runpodSdk(process.env.RUNPOD_API_KEY, { baseUrl: '${url}/v2' })`,
  },
  {
    name: 'ai-sdk',
    title: 'npm @runpod/ai-sdk-provider',
    variables: () => ({}),
    code: ({ url, endpointId }) => `createRunpod({ baseURL: '${url}/v2/${endpointId}/openai/v1' })`,
  },
  {
    name: 'go-sdk',
    title: 'Go module cozy-creator/runpod-go-sdk',
    variables: () => ({}),
    code: ({ url }) =>
      `WithBaseURL("${url}/v1"), WithServerlessBaseURL("${url}/v2"), WithGraphQLBaseURL("${url}/graphql")`,
  },
  {
    name: 'runpodctl',
    title: 'runpodctl 2.7 and later',
    variables: ({ url }) => ({
      RUNPOD_API_URL: `${url}/v1`,
      RUNPOD_GRAPHQL_URL: `${url}/graphql`,
      RUNPOD_INVOKE_URL: `${url}/v2`,
    }),
  },
  {
    name: 'flash',
    title: 'PyPI runpod-flash',
    variables: ({ url }) => ({
      RUNPOD_API_BASE_URL: url,
      RUNPOD_ENDPOINT_BASE_URL: `${url}/v2`,
      RUNPOD_REST_API_URL: `${url}/v1`,
      RUNPOD_HAPI_URL: url,
      // It warns while some of its addresses are elsewhere; its console is.
      RUNPOD_URL_MIXED_OK: '1',
    }),
    note: "load-balancing endpoints are called over https: 'env proxy' reaches them",
  },
  {
    name: 'mcp',
    title: 'npm @runpod/mcp-server 3 and 4',
    variables: ({ url }) => ({
      RUNPOD_API_BASE_URL: url,
      RUNPOD_REST_API_URL: `${url}/v1`,
      RUNPOD_REST_V2_API_URL: `${url}/v2`,
      RUNPOD_SERVERLESS_API_URL: `${url}/v2`,
      RUNPOD_PUBLIC_GRAPHQL_URL: `${url}/graphql`,
      RUNPOD_AUTHED_GRAPHQL_URL: `${url}/graphql`,
    }),
  },
  {
    name: 'terraform',
    title: 'Terraform provider runpod/runpod',
    variables: ({ url }) => ({
      RUNPOD_BASE_URL: `${url}/v2`,
      RUNPOD_GRAPHQL_URL: `${url}/graphql`,
    }),
    note: "clusters and worker logs have a fixed address: 'env proxy' reaches it",
  },
  {
    name: 'skypilot',
    title: 'SkyPilot, for spot pods',
    variables: ({ url }) => ({ RUNPOD_API_BASE_URL: url }),
    note: "its REST calls have a fixed address: 'env proxy' reaches it",
  },
  {
    name: 'openai',
    title: 'OpenAI SDKs and whatever uses them',
    variables: ({ url, endpointId }) => ({
      OPENAI_BASE_URL: `${url}/v2/${endpointId}/openai/v1`,
      OPENAI_API_KEY: anyKey,
    }),
    alone: true,
  },
  {
    name: 'proxy',
    title: 'clients with hard-coded hosts: Pulumi, dstack, SkyPilot, Crossplane',
    variables: toProxyVariables,
    note: "first: compute-emulator ca; every host but the cloud's is refused",
    alone: true,
  },
  {
    name: 'workers',
    title: 'worker programs on the SDK of PyPI runpod',
    variables: toWorkerVariables,
    note: "for one that is started by hand; 'compute-emulator worker-env' has its endpoint's own key",
    alone: true,
  },
]

/** For clients whose addresses are compiled in. */
function toProxyVariables({ url, caFile }: Place): Record<string, string> {
  return {
    HTTPS_PROXY: url,
    https_proxy: url,
    // Other calls go where they would.
    NO_PROXY: 'localhost,127.0.0.1,::1',
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    SSL_CERT_FILE: caFile,
  }
}

/** The SDK appends to the query of its addresses, so each has one. */
function toWorkerVariables({ url, endpointId }: Place): Record<string, string> {
  const base = `${url}/v2/${endpointId}`
  return {
    RUNPOD_WEBHOOK_GET_JOB: `${base}/job-take/${workerId}?${gpu}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/${workerId}/$ID?${gpu}`,
    RUNPOD_WEBHOOK_POST_STREAM: `${base}/job-stream/${workerId}/$ID?${gpu}`,
    RUNPOD_WEBHOOK_PING: `${base}/ping/${workerId}?${gpu}`,
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
    RUNPOD_AI_API_KEY: anyKey,
    RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
    RUNPOD_SKIP_GPU_CHECK: 'true',
  }
}
