import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { HintChanged, type dismissHint, type Flow, type hints, type Pattern, type Shared } from '#collusion/contract.ts'
import { OwnAccount } from '#wallet/contract.ts'

const id = sql`collusion_hint.id`
const keys = {
  updated: { by: sql`collusion_hint.updated_at`, as: 'timestamptz' },
  found: { by: sql`collusion_hint.found_at`, as: 'timestamptz' },
} as const
const isDismissed = sql<boolean>`(dismissed_at is not null and returned_at is null)`

export async function list(db: Db, by: Staff, input: ParsedInput<typeof hints>): Promise<Answer<typeof hints>> {
  const { state, measure, member } = input
  let query = db
    .selectFrom('collusion_hint')
    .leftJoin('staff', 'staff.id', 'dismissed_by')
    .select(['collusion_hint.id', 'members', 'found_at as foundAt', 'updated_at as updatedAt'])
    .select(['dismissed_at', 'dismiss_reason', 'returned_at', 'staff.account'])
    .select([sql<Pattern[]>`patterns`.as('patterns'), sql<Flow[]>`flows`.as('flows'), sql<Shared[]>`shared`.as('shared')])
  query = query.where(state === 'dismissed' ? isDismissed : sql<boolean>`not ${isDismissed}`)
  if (measure) query = query.where(sql<boolean>`patterns @> ${JSON.stringify([{ measure }])}::jsonb`)
  if (member) query = query.where(sql<boolean>`members @> array[${member}::bigint]`)
  const page = await paged(db, query, { ...input, keys, id })
  const names = await namesOf(
    db,
    page.rows.flatMap(({ members }) => members),
  )
  return { ...page, rows: page.rows.map((row) => viewOf(row)) }

  function viewOf(hint: (typeof page.rows)[number]): Answer<typeof hints>['rows'][number] {
    const { members, flows, dismissed_at, dismiss_reason, returned_at, account, ...row } = hint
    return {
      ...row,
      members: members.map((one) => ({ id: one, name: names.get(one) ?? one })),
      flows: flows.map(({ from, to, measure: its, amount, times, ofGiven, ofReceived, firstAt, lastAt, transactionIds }) => ({
        from,
        to,
        measure: its,
        amount,
        times,
        ofGiven,
        ofReceived,
        firstAt,
        lastAt,
        transactionIds,
      })),
      dismissed: dismissed_at && { at: dismissed_at, by: account ?? '', reason: dismiss_reason ?? '', returnedAt: returned_at },
      isOfMe: members.includes(by.id),
    }
  }
}

async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('member').select(['id', 'account', 'nickname']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map((row) => [row.id, row.nickname ?? row.account]))
}

/** Dismisses a hint in the version that was read. Its own members may not. */
export async function dismiss(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { hintId, updatedAt, reason }: ParsedInput<typeof dismissHint>,
): Promise<void> {
  const hint = await tx
    .selectFrom('collusion_hint')
    .select(['members', 'updated_at', isDismissed.as('isDismissed')])
    .where('id', '=', hintId)
    .forUpdate()
    .executeTakeFirst()
  if (!hint) throw Missing()
  if (hint.members.includes(by.id)) throw OwnAccount()
  if (hint.isDismissed || hint.updated_at.toISOString() !== updatedAt) throw HintChanged()
  await tx
    .updateTable('collusion_hint')
    .set({ dismissed_at: sql`clock_timestamp()`, dismissed_by: by.staff.id, dismiss_reason: reason, returned_at: null })
    .set('counted_until', sql`(select transaction_id from collusion_progress)`)
    .where('id', '=', hintId)
    .execute()
  const names = await namesOf(tx, hint.members)
  await audit.note(tx, by.staff, client, {
    action: 'collusion.dismiss',
    about: `collusion ${hintId}`,
    reason,
    before: { members: hint.members.map((one) => names.get(one) ?? one) },
  })
}
