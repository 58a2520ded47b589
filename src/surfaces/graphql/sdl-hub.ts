/** The hub and public endpoints, in the schema. */
export const hubSdl = /* GraphQL */ `
input ListingsInput {
  searchQuery: String
  category: String
  owner: String
  limit: Int
  offset: Int
  orderBy: String
  orderDirection: String
}
type Listing {
  id: String!
  repoId: String
  repoName: String
  repoOwner: String
  repoOwnerAvatarUrl: String
  title: String
  description: String
  category: String
  type: String
  language: String
  tags: [String]
  listed: Boolean
  createdAt: DateTime
  updatedAt: DateTime
  lastScannedAt: DateTime
  views: Int
  stars: Int
  deploys: Int
  openIssues: Int
  watchers: Int
  releases: [HubRelease]
  listedRelease: HubRelease
}
type HubRelease {
  id: String!
  name: String
  tagName: String
  authorName: String
  authorId: String
  authorAvatarUrl: String
  iconUrl: String
  body: String
  readme: String
  branch: String
  license: String
  deploys: Int
  config: String
  tests: String
  createdAt: DateTime
  releasedAt: DateTime
  updatedAt: DateTime
  build: GitBuild
  listing: Listing
}
type GitBuild {
  id: String
  imageName: String
  repoId: String
  branch: String
  commitHash: String
  commitMessage: String
  commitDate: DateTime
  state: GitBuildState
  startedAt: DateTime
  completedAt: DateTime
  error: String
  test: Test
}
type Test {
  id: String
  githubBuildId: String
  status: String
  startedAt: DateTime
  completedAt: DateTime
  error: String
  results: [Result]
}
type Result { id: Int name: String status: String error: String executionTime: Float }
type AiApiPublicConfig {
  id: String
  aiApiId: String
  modelName: String
  displayName: String
  description: String
  metadata: String
  isLive: Boolean
  createdAt: DateTime
  updatedAt: DateTime
}
`
