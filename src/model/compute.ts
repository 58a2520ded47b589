/** What a pod or worker runs on: GPUs of one of several types, or vCPUs of one of several flavors. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CudaVersion } from './catalog.ts'
import type { CloudTier } from './container.ts'

export const GpuCompute = Type.Object({
  kind: Type.Literal('GPU'),
  /** In order of preference: the first with stock is taken. */
  gpuTypeIds: Type.Array(Type.String(), { minItems: 1 }),
  /** GPUs per pod or worker. */
  count: Type.Integer({ minimum: 1 }),
  allowedCudaVersions: Type.Array(CudaVersion),
  minCudaVersion: Type.Union([CudaVersion, Type.Null()]),
  minRamGbPerGpu: Type.Integer({ minimum: 0 }),
  minVcpuPerGpu: Type.Integer({ minimum: 0 }),
})
export type GpuCompute = Static<typeof GpuCompute>

export const CpuCompute = Type.Object({
  kind: Type.Literal('CPU'),
  /** In order of preference. */
  instances: Type.Array(
    Type.Object({ flavorId: Type.String(), vcpuCount: Type.Integer({ minimum: 1 }) }),
    { minItems: 1 },
  ),
})
export type CpuCompute = Static<typeof CpuCompute>

export const Compute = Type.Union([GpuCompute, CpuCompute])
export type Compute = Static<typeof Compute>

/** GPU compute with nothing asked for but type and count. */
export function gpuCompute(gpuTypeIds: string[], count = 1): GpuCompute {
  return {
    kind: 'GPU',
    gpuTypeIds,
    count,
    allowedCudaVersions: [],
    minCudaVersion: null,
    minRamGbPerGpu: 0,
    minVcpuPerGpu: 0,
  }
}

/** The place that was found: what it is and what it costs. */
export interface Placement {
  readonly dataCenterId: string
  readonly cloud: CloudTier
  readonly machineId: string
  /** Null for CPU. */
  readonly gpuTypeId: string | null
  readonly gpuCount: number
  /** Null for GPU. */
  readonly flavorId: string | null
  readonly vcpuCount: number
  readonly memoryGb: number
  readonly cudaVersion: string | null
  readonly costPerHourUsd: number
}
