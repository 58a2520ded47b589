/** Flash apps: code that is uploaded as a build and deployed to environments of its app. */
import type { TimerId } from '../sim/timeline.ts'

export interface FlashApp {
  readonly id: string
  /** Unique within the account. */
  readonly name: string
  readonly createdAtMs: number
}

export interface FlashEnvironment {
  readonly id: string
  readonly appId: string
  /** Unique within its app. */
  readonly name: string
  /** What is deployed to it; null before the first deployment. */
  readonly activeBuildId: string | null
  readonly createdAtMs: number
}

export interface FlashBuild {
  readonly id: string
  readonly appId: string
  /** The upload that it was made from. */
  readonly uploadId: string
  readonly objectKey: string
  /** Whatever the client says about its build. */
  readonly manifest: unknown
  readonly createdAtMs: number
}

/** What the request of a client for a key can come to. */
export type FlashAuthStatus = 'PENDING' | 'APPROVED' | 'CONSUMED' | 'DENIED' | 'EXPIRED'

/** A client without a key asks for one; a person says yes. */
export interface FlashAuthRequest {
  readonly id: string
  readonly status: FlashAuthStatus
  readonly keyName: string | null
  readonly codeChallenge: string | null
  readonly codeChallengeMethod: string | null
  /** There from the approval on; shown once. */
  readonly apiKey: string | null
  readonly expiresAtMs: number
  readonly timer: TimerId | null
}

/** A key that the world gave out itself, at run time. */
export interface IssuedKey {
  /** The key. */
  readonly id: string
  /** `upload`: opens one upload and nothing else. */
  readonly opens: 'everything' | 'upload'
}
