/** Teams and support staff, in the schema. No account of the emulator has either. */
export const teamSdl = /* GraphQL */ `
type Team {
  id: String
  name: String
  owner: User
  isOwner: Boolean
  memberships: [TeamMembership]
  membership: TeamMembership
  members: [TeamMembership]
  invites: [TeamInvite]
  availableRoles: [String]
}
type TeamMembership {
  id: Int
  member: User
  team: Team
  scopes: [Scope]
  createdAt: DateTime
  updatedAt: DateTime
}
type TeamInvite {
  id: Int
  team: TeamInviteTeam
  role: TeamRole
  createdAt: DateTime
  expiresAt: DateTime
}
type TeamInviteTeam { id: String name: String owner: TeamInviteOwner }
type TeamInviteOwner { email: String }
type TeamScopes { role: String }
type Impersonation {
  id: Int
  impersonateUserId: String
  zendeskTicketId: String
  accepted: Boolean
  acceptedAt: DateTime
  createdAt: DateTime
  expiresAt: DateTime
  auditLogs: AuditLogConnection
}
type AuditLogConnection { edges: [AuditLog] pageInfo: PageInfo }
type AuditLog {
  actorId: String
  email: String
  ownerId: String
  action: String
  resourceType: String
  resourceId: String
  value: String
  timestamp: DateTime
}
type PageInfo { endCursor: String hasNextPage: Boolean }
`
