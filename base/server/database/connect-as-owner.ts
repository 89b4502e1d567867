import type pg from 'pg'
import { CannotStart } from '#base/server/cannot-start.ts'
import { nameOf, placesOf } from '#base/server/database/address.ts'
import { SessionClient, WrongRole } from '#base/server/database/session-client.ts'
import { limitStatements } from '#base/server/database/statement-limit.ts'

/** Connects as the owner, without a statement timeout. A failure becomes a message for the operator. */
export async function connectAsOwner(ownerUrl: string): Promise<pg.Client> {
  const client = new SessionClient({ ...limitStatements(ownerUrl, null), connectionTimeoutMillis: 30_000 })
  // A connection that breaks between two statements fails the next.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new CannotStart(connectionMessage(ownerUrl, error), { cause: error })
  }
}

// Messages by PostgreSQL's error code.
const messagesByCode: Record<string, (name: string, user: string) => string> = {
  '3D000': (name) => `PostgreSQL has no database called ${name}. Make it first, or name another in DATABASE_URL.`,
  '28P01': (_, user) => `PostgreSQL takes no such password from ${user}. See to the user and the password in DATABASE_URL.`,
  '28000': (_, user) => `PostgreSQL does not let ${user} in. See to the user in DATABASE_URL, and to pg_hba.conf.`,
}

function connectionMessage(ownerUrl: string, error: unknown): string {
  const { pathname, username } = new URL(ownerUrl)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = messagesByCode[code]?.(decodeURIComponent(pathname.slice(1)), decodeURIComponent(username))
  if (reason) return reason
  const place = placesOf(ownerUrl).map(nameOf).join(', ')
  const cause = error instanceof AggregateError && !error.message ? error.errors[0] : error
  const message = cause instanceof Error ? cause.message : code
  if (error instanceof WrongRole)
    return `${message}, and the forum writes. Name the primary in DATABASE_URL, or all hosts of the pair, and start again.`
  // PostgreSQL knows every parameter that the driver sends, and would not speak of a pooler's own failures.
  if (code === '08P01')
    return `The pooler at ${place} refuses the connection (${message}). See its configuration; deploy/pgbouncer/pgbouncer.ini is one that works.`
  return `No PostgreSQL answers at ${place} (${message}). Start it, or see to DATABASE_URL.`
}
