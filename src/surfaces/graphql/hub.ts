/** The hub and the public endpoints, as GraphQL spells them. Everybody may look. */
import type { HubRelease, Listing } from '../../model/hub.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import type { Caller } from './caller.ts'
import { said, type Wire } from './inputs.ts'

interface ListingsInput {
  readonly searchQuery?: Wire<string>
  readonly category?: Wire<string>
  readonly owner?: Wire<string>
  readonly limit?: Wire<number>
  readonly offset?: Wire<number>
  readonly orderBy?: Wire<string>
  readonly orderDirection?: Wire<string>
}

export const hubQueries = {
  listings({ input }: { input: ListingsInput }, { world }: Caller) {
    const offset = input.offset ?? 0
    const limit = said(input.limit) ?? Infinity
    return inOrder(search(world, input), input)
      .slice(offset, offset + limit)
      .map(toListing)
  },

  listing({ id }: { id: string }, { world }: Caller) {
    const listing = world.settings.start.listings.find((item) => item.id === id)
    return listing && toListing(listing)
  },

  listingFromRepo(
    { repoOwner, repoName }: { repoOwner: string; repoName: string },
    { world }: Caller,
  ) {
    const listing = world.settings.start.listings.find(
      (item) => item.repoOwner === repoOwner && item.repoName === repoName,
    )
    return listing && toListing(listing)
  },

  /** The public endpoints of the start state. */
  allAiApiPublicConfigs: (_args: unknown, { world }: Caller) =>
    world.settings.start.endpoints
      .filter((endpoint) => endpoint.public)
      .map(({ id }) => toPublicConfig(world, id)),
}

/** The release of that id, with the listing it belongs to. */
export function findRelease(world: World, releaseId: string | undefined) {
  for (const listing of world.settings.start.listings) {
    const release = listing.releases.find(({ id }) => id === releaseId)
    if (release !== undefined) return { listing, release }
  }
  return undefined
}

/** Assumed: the search looks into titles, descriptions, names and tags, whatever their case. */
function search(world: World, input: ListingsInput): Listing[] {
  const words = (said(input.searchQuery) ?? '').toLowerCase()
  const category = said(input.category)?.toLowerCase()
  const owner = said(input.owner)
  return world.settings.start.listings.filter((listing) => {
    const { title, description, repoName, repoOwner, tags } = listing
    const text = [title, description, repoName, repoOwner, ...tags].join(' ').toLowerCase()
    return (
      text.includes(words) &&
      (category === undefined || listing.category.toLowerCase() === category) &&
      (owner === undefined || repoOwner === owner)
    )
  })
}

/** Assumed: descending unless asked otherwise, and in the hub's own order without a field. */
function inOrder(listings: Listing[], { orderBy, orderDirection }: ListingsInput): Listing[] {
  const field = said(orderBy)
  if (field === undefined) return listings
  const sign = said(orderDirection)?.toLowerCase() === 'asc' ? 1 : -1
  const rankOf = (listing: Listing) => {
    const value = (toListing(listing) as Readonly<Record<string, unknown>>)[field]
    return typeof value === 'number' || typeof value === 'string' ? value : 0
  }
  return listings.sort((left, right) => {
    const [one, other] = [rankOf(left), rankOf(right)]
    return one === other ? 0 : sign * (one < other ? -1 : 1)
  })
}

function toListing(listing: Listing) {
  const { id, repoOwner, repoName, title, description, category, language, tags } = listing
  const { type, views, stars, createdAt, releases } = listing
  const newest = releases[0]
  const updatedAt = newest?.releasedAt ?? createdAt
  return {
    ...{
      id,
      repoOwner,
      repoName,
      title,
      description,
      category,
      language,
      tags,
      type,
      views,
      stars,
    },
    ...{ createdAt, updatedAt, lastScannedAt: updatedAt, listed: true },
    repoId: `${repoOwner}/${repoName}`,
    repoOwnerAvatarUrl: '',
    deploys: releases.reduce((sum, { deploys }) => sum + deploys, 0),
    // The hub looks after its own figures; a fixture has none of these.
    openIssues: 0,
    watchers: 0,
    releases: () => releases.map((release) => toRelease(listing, release)),
    listedRelease: () => newest && toRelease(listing, newest),
  }
}

export function toRelease(listing: Listing, release: HubRelease) {
  const { id, tagName, imageName, readme, license, deploys, releasedAt } = release
  const { repoOwner, repoName } = listing
  return {
    ...{ id, tagName, readme, license, deploys, releasedAt },
    name: tagName,
    createdAt: releasedAt,
    updatedAt: releasedAt,
    authorName: repoOwner,
    authorId: repoOwner,
    authorAvatarUrl: '',
    iconUrl: '',
    body: '',
    branch: 'main',
    // Observed: both are JSON texts.
    config: JSON.stringify(release.config),
    tests: JSON.stringify(release.tests),
    build: {
      ...{ id: `build-${id}`, imageName, repoId: `${repoOwner}/${repoName}`, branch: 'main' },
      ...{ state: 'COMPLETED', startedAt: releasedAt, completedAt: releasedAt },
    },
    listing: () => toListing(listing),
  }
}

function toPublicConfig(world: World, endpointId: string) {
  const { spec, createdAtMs } = world.endpoints.require(endpointId)
  const moment = toIso(createdAtMs)
  return {
    id: endpointId,
    aiApiId: endpointId,
    modelName: endpointId,
    displayName: spec.name,
    description: '',
    // Observed: a JSON text with these fields. What a call costs is not in a fixture.
    metadata: JSON.stringify({ cost: 0, owner: 'emulator', source: '', tag: '', priceString: '' }),
    isLive: true,
    createdAt: moment,
    updatedAt: moment,
  }
}
