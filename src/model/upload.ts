/** An upload: an address that takes one file, or one part after the other. */

export const uploadLimits = {
  /** Bytes that one request can bring. */
  requestBytes: 256 * 1_048_576,
  /** Bytes that a world keeps of all its uploads together; the oldest go first. */
  keptBytes: 512 * 1_048_576,
  /** Spec (S3, whose form the addresses have): parts of one upload. */
  parts: 10_000,
} as const

export interface Upload {
  readonly id: string
  /** What it is called where it is kept: `flash/<app>/<upload>.tar.gz`. */
  readonly objectKey: string
  /** Announced, in bytes. */
  readonly sizeBytes: number
  readonly partCount: number
  /** Each part but the last has this many bytes. */
  readonly partSizeBytes: number
  /** The key that its address ends with. */
  readonly signature: string
  /** Until when it can be written. */
  readonly expiresAtMs: number
  /** Bytes of each part that came, by its number from 1. */
  readonly received: Readonly<Record<number, number>>
  /** The file in base64, if it came in one piece; null before, and once newer ones took its room. */
  readonly content: string | null
  /** False for what is only counted: weights of models fill memories. */
  readonly keeps: boolean
}
