import { createHmac } from 'node:crypto'
import { CannotStart } from '#base/server/cannot-start.ts'

/** The two roles of the program. Neither owns a table, so neither can change its schema. */
export const appRole = 'teahouse_app'
export const readerRole = 'teahouse_reader'

type RoleAddresses = { app: string; reader: string; /** The reader, always on the primary. */ primaryReader: string }

export type Connections = RoleAddresses & {
  owner: string
  /** Set if the others lead to a pooler in transaction mode. */ direct?: RoleAddresses
}

/** The addresses of a migrated database, for each of its roles: past its pooler and, if one is given, by it. */
export function addressesOf(ownerUrl: string, replicaUrl: string | null = null, pooledUrl: string = ownerUrl): Connections {
  const by = (primaryUrl: string): RoleAddresses => ({
    app: addressAs(ownerUrl, appRole, primaryUrl),
    reader: addressAs(ownerUrl, readerRole, replicaUrl === null ? primaryUrl : replicaOf(replicaUrl)),
    primaryReader: addressAs(ownerUrl, readerRole, primaryUrl),
  })
  return { owner: ownerUrl, ...by(pooledUrl), ...(pooledUrl !== ownerUrl && { direct: by(ownerUrl) }) }
}

// Reads go to whichever host is the standby, if one is.
function replicaOf(replicaUrl: string): string {
  const url = new URL(replicaUrl)
  if (!url.searchParams.has('target_session_attrs')) url.searchParams.set('target_session_attrs', 'prefer-standby')
  return url.href
}

function addressAs(ownerUrl: string, role: string, at: string): string {
  const url = new URL(at)
  url.username = role
  url.password = passwordOf(ownerUrl, role)
  return url.href
}

/** The password of a role. Derived from the owner's secret, so that every machine of a forum computes the same and none is stored. */
export function passwordOf(ownerUrl: string, role: string): string {
  const secret = new URL(ownerUrl).password
  if (!secret)
    throw new CannotStart('DATABASE_URL names no password. The forum makes the passwords of its two roles from it, so the owner needs one.')
  return createHmac('sha256', secret).update(role).digest('base64url')
}
