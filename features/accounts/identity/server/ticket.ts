import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { WayExpired } from '#identity/contract.ts'
import type { Person } from '#identity/server/providers/provider.ts'

const minutes = 30

/** A ticket for a person without an account: for one use, in this browser. */
export async function issue(tx: Db, providerId: string, { subject, name }: Person, client: ClientInfo): Promise<string> {
  const ticket = newToken()
  await tx
    .insertInto('identity_ticket')
    .values({
      hash: hashOf(ticket),
      provider_id: providerId,
      subject,
      name,
      asker: client.csrf,
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return ticket
}

/** Consumes the ticket in the transaction that it is for, so that a refusal keeps it. */
export async function consume(tx: Db, ticket: string, client: ClientInfo): Promise<{ providerId: string; person: Person }> {
  const row = await tx
    .deleteFrom('identity_ticket')
    .where('hash', '=', hashOf(ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning(['provider_id', 'subject', 'name'])
    .executeTakeFirst()
  if (!row) throw WayExpired()
  return { providerId: row.provider_id, person: { subject: row.subject, name: row.name } }
}
