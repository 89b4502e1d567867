import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { amountOut, minorOf, type Currency } from '#wallet/contract.ts'
import type { HeldView } from '#wallet/log-contract.ts'
import { subjectsOf } from '#wallet/server/subject.ts'

/** What is held of a member's, and for which questions; also what was held for an account that goes on as theirs. */
export async function heldOf(db: Db, member: Member, currency: Currency): Promise<HeldView> {
  const { rows } = await sql<{ amount: string; source: string }>`
    with recursive owner as (
      select ${member.id}::bigint as id union select from_id from owner join member_merging on into_id = owner.id)
    select amount, source from owner join ledger.hold on owner_id = owner.id where state = 'open' and currency = ${currency} order by hold.id desc`.execute(
    db,
  )
  const sources = rows.map(({ source }) => source)
  const subjects = await subjectsOf(db, member, sources)
  const sum = rows.reduce((so, { amount }) => so + BigInt(amount), 0n)
  return { amount: amountOut(currency, minorOf(sum)), for: sources.flatMap((source) => subjects.get(source) ?? []) }
}
