import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { TicketExpired } from '#second-factor/contract.ts'

const minutes = 10
const maxTries = 5

/** A ticket for the second step, after the password. */
export async function issue(tx: Db, memberId: string, client: ClientInfo): Promise<string> {
  const ticket = newToken()
  await tx
    .insertInto('login_ticket')
    .values({
      hash: hashOf(ticket),
      member_id: memberId,
      asker: client.csrf,
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return ticket
}

/** Counts an attempt, and returns the ticket's owner. */
export async function countAttempt(inSeparateTransaction: RunInSeparateTransaction, ticket: string, client: ClientInfo): Promise<string> {
  const row = await inSeparateTransaction((tx) =>
    tx
      .updateTable('login_ticket')
      .set({ tries: sql`tries + 1` })
      .where('hash', '=', hashOf(ticket))
      .where('asker', '=', client.csrf)
      .where('tries', '<', maxTries)
      .where(sql<boolean>`expires_at > now()`)
      .returning('member_id')
      .executeTakeFirst(),
  )
  if (!row) throw TicketExpired()
  return row.member_id
}

/** The owner of a valid ticket. */
export async function ownerOfTicket(tx: Db, ticket: string, client: ClientInfo): Promise<string> {
  const row = await tx
    .selectFrom('login_ticket')
    .select('member_id')
    .where('hash', '=', hashOf(ticket))
    .where('asker', '=', client.csrf)
    .where('tries', '<', maxTries)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  if (!row) throw TicketExpired()
  return row.member_id
}

/** Consumes the ticket with the login that it was for. */
export async function consumeTicket(tx: Db, ticket: string, client: ClientInfo): Promise<string> {
  const row = await tx
    .deleteFrom('login_ticket')
    .where('hash', '=', hashOf(ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning('member_id')
    .executeTakeFirst()
  if (!row) throw TicketExpired()
  return row.member_id
}
