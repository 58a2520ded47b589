/** The hub: repositories whose releases everybody can deploy. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { OneOf } from './schema.ts'

const strict = { additionalProperties: false }
const Text = Type.String({ default: '' })
/** In UTC. */
const Moment = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
  default: '2025-01-01T00:00:00Z',
})
const Count = Type.Integer({ minimum: 0, default: 0 })

export const HubRelease = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    tagName: Type.String({ minLength: 1 }),
    /** The image that was built from it. */
    imageName: Type.String({ minLength: 1 }),
    readme: Text,
    license: Text,
    deploys: Count,
    /** What it is deployed with: containerDiskInGb, gpuIds, env and more, as the repository says. */
    config: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    tests: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    releasedAt: Moment,
  },
  strict,
)
export type HubRelease = Static<typeof HubRelease>

export const Listing = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    repoOwner: Type.String({ minLength: 1 }),
    repoName: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1 }),
    description: Text,
    type: OneOf(['SERVERLESS', 'POD'], { default: 'SERVERLESS' }),
    category: Text,
    language: Text,
    tags: Type.Array(Type.String(), { default: [] }),
    views: Count,
    stars: Count,
    createdAt: Moment,
    /** Newest first; the first is the one that is listed. */
    releases: Type.Array(HubRelease, { minItems: 1 }),
  },
  strict,
)
export type Listing = Static<typeof Listing>
