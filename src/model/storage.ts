/** Network volumes: disks of a data center that outlive what they are attached to. */
export const volumeTypes = ['STANDARD', 'HIGH_PERFORMANCE'] as const
export type VolumeType = (typeof volumeTypes)[number]

export interface NetworkVolume {
  readonly id: string
  readonly name: string
  readonly sizeGb: number
  readonly dataCenterId: string
  readonly type: VolumeType
  readonly createdAtMs: number
}
