import { createHmac } from 'node:crypto'
import { CannotStart } from '#base/server/cannot-start.ts'

/** The two roles of the program. Neither owns a table, so neither can change its schema. */
export const appRole = 'teahouse_app'
export const readerRole = 'teahouse_reader'

export type Connections = { owner: string; app: string; reader: string; /** The reader, always on the primary. */ primaryReader: string }

/** The addresses of a migrated database, for each of its roles. */
export function addressesOf(ownerUrl: string, replicaUrl: string | null = null): Connections {
  const readerAt = (at: string) => addressAs(ownerUrl, readerRole, at)
  return {
    owner: ownerUrl,
    app: addressAs(ownerUrl, appRole, ownerUrl),
    reader: readerAt(replicaUrl ?? ownerUrl),
    primaryReader: readerAt(ownerUrl),
  }
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
