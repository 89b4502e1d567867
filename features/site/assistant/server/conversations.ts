import { sql } from 'kysely'
import { Missing, type Output, type RefusalValues, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Member } from '#base/server/http/route.ts'
import { say, type Language } from '#base/server/words.ts'
import type { conversation, conversations, renameConversation, TurnView } from '#assistant/contract.ts'
import { isBeingWritten } from '#assistant/server/usage.ts'
import * as setting from '#setting/server/setting.ts'

const perPage = 20

/** A member's own conversations only. */
export async function list(
  db: Db,
  member: Member,
  { keyword, page }: ParsedInput<typeof conversations>,
): Promise<Output<typeof conversations>> {
  const like = `%${keyword.replaceAll(/[\\%_]/g, '\\$&')}%`
  const matches = sql`member_id = ${member.id} and (${keyword} = '' or title ilike ${like} or exists (
    select from assistant_turn where conversation_id = assistant_conversation.id and (prompt ilike ${like} or answer ilike ${like})))`
  const [{ rows: counted }, { assistantKeptDays: keptDays }] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from assistant_conversation where ${matches}`.execute(db),
    setting.all(db),
  ])
  const { pages } = pagePosition(counted[0]?.count ?? 0, page, perPage)
  const { rows } = await sql<{ id: string; title: string; at: Date }>`
    select id::text, title, updated_at as at from assistant_conversation where ${matches}
    order by updated_at desc, assistant_conversation.id desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  return { conversations: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })), page, pages, keptDays }
}

export async function show(db: Db, member: Member, conversationId: string, language: Language): Promise<Output<typeof conversation>> {
  const { id, title, updated_at } = await mustOwn(db, member, conversationId)
  const turns = await turnsOf(db, id, language)
  return { id, title, at: updated_at.toISOString(), turns }
}

export async function rename(tx: Db, member: Member, { conversationId, title }: ParsedInput<typeof renameConversation>): Promise<void> {
  await mustOwn(tx, member, conversationId)
  await tx.updateTable('assistant_conversation').set({ title }).where('id', '=', conversationId).execute()
}

export async function remove(tx: Db, member: Member, conversationId: string): Promise<void> {
  await mustOwn(tx, member, conversationId)
  await tx.deleteFrom('assistant_conversation').where('id', '=', conversationId).execute()
}

export async function removeAll(tx: Db, member: Member): Promise<void> {
  await tx.deleteFrom('assistant_conversation').where('member_id', '=', member.id).execute()
}

export async function mustOwn(db: Db, member: Member, conversationId: string) {
  const row = await db
    .selectFrom('assistant_conversation')
    .select(['id', 'title', 'topic_id', 'updated_at'])
    .where('id', '=', conversationId)
    .where('member_id', '=', member.id)
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

type Row = Omit<TurnView, 'at' | 'failure'> & { at: Date; values: RefusalValues }

const state = sql`case when state = 'running' and not ${isBeingWritten(sql`assistant_turn.id`)} then 'stopped' else state end`

/** The turns of a conversation, in order. */
export async function turnsOf(db: Db, conversationId: string, language: Language): Promise<TurnView[]> {
  const { rows } = await sql<Row>`
    select id::text, prompt, answer, sources, ${state} as state, failure as "failureCode", failure_values as values, left_out as "leftOut", is_stand_in as "isStandIn", created_at as at
    from assistant_turn where conversation_id = ${conversationId} order by assistant_turn.id`.execute(db)
  return rows.map((row) => viewOf(row, language))
}

export async function turnById(db: Db, turnId: string, language: Language): Promise<TurnView> {
  const { rows } = await sql<Row>`
    select id::text, prompt, answer, sources, ${state} as state, failure as "failureCode", failure_values as values, left_out as "leftOut", is_stand_in as "isStandIn", created_at as at
    from assistant_turn where id = ${turnId}`.execute(db)
  const [row] = rows
  if (!row) throw Missing()
  return viewOf(row, language)
}

function viewOf({ at, values, ...row }: Row, language: Language): TurnView {
  return { ...row, failure: row.failureCode === null ? null : say(language, row.failureCode, values), at: at.toISOString() }
}
