/** Operations of REST v2 that answer 501. A line goes when its operation comes. */
export const pending: readonly { readonly operation: string; readonly path: string }[] = [
  'GET /v2/catalog/gpus',
  'GET /v2/catalog/gpus/{id}',
  'GET /v2/catalog/cpus',
  'GET /v2/catalog/cpus/{id}',
  'GET /v2/catalog/datacenters',
  'GET /v2/catalog/datacenters/{id}',
  'GET /v2/catalog/templates',
  'GET /v2/billing',
  'GET /v2/billing/pods',
  'GET /v2/billing/serverless',
  'GET /v2/billing/endpoints',
  'GET /v2/billing/network-volumes',
  'GET /v2/billing/clusters',
].map((operation) => ({
  operation,
  path: (operation.split(' ')[1] ?? '').replaceAll(/\{\w+\}/g, 'some-id'),
}))
