import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as audit from '#audit/server/audit.ts'
import { ListChanged, type addSensitiveList, type editSensitiveList, type sensitiveLists } from '#sensitive-word/contract.ts'
import { wordsTag } from '#sensitive-word/server/word-cache.ts'

export async function all(db: Db): Promise<Output<typeof sensitiveLists>> {
  const rows = await db
    .selectFrom('sensitive_list')
    .leftJoin('staff', 'staff.id', 'changed_by')
    .select(['sensitive_list.id', 'name', 'action', 'is_enabled as isEnabled', 'word_count as wordCount', 'changed_at', 'account'])
    .select(sql<string>`(select coalesce(sum(hits), 0) from sensitive_word where list_id = sensitive_list.id)`.as('hits'))
    .orderBy('sensitive_list.id')
    .execute()
  const lists = rows.map(({ changed_at, account, hits, ...row }) => ({
    ...row,
    hits: Number(hits),
    changedAt: changed_at.toISOString(),
    changedBy: account,
  }))
  return { lists }
}

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  form: ParsedInput<typeof addSensitiveList>,
): Promise<{ listId: string }> {
  const { name, action, isEnabled: is_enabled } = form
  const { id } = await tx
    .insertInto('sensitive_list')
    .values({ name, action, is_enabled, changed_by: by.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit.note(tx, by, client, { action: 'sensitiveList.add', about: `sensitiveList ${id}`, after: form })
  return { listId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { listId, changedAt, ...form }: ParsedInput<typeof editSensitiveList>,
): Promise<void> {
  const before = await lock(tx, listId)
  if (before.changed_at.toISOString() !== new Date(changedAt).toISOString())
    throw ListChanged({ who: await accountOf(tx, before.changed_by) })
  const { name, action, isEnabled: is_enabled } = form
  await tx.updateTable('sensitive_list').set({ name, action, is_enabled }).where('id', '=', listId).execute()
  await markChanged(tx, by, listId)
  await audit.note(tx, by, client, {
    action: 'sensitiveList.edit',
    about: `sensitiveList ${listId}`,
    before: { name: before.name, action: before.action, isEnabled: before.is_enabled },
    after: form,
  })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, listId: string): Promise<void> {
  const { name, action, word_count: wordCount } = await lock(tx, listId)
  await tx.deleteFrom('sensitive_list').where('id', '=', listId).execute()
  invalidate(tx, wordsTag)
  await audit.note(tx, by, client, {
    action: 'sensitiveList.remove',
    about: `sensitiveList ${listId}`,
    before: { name, action, wordCount },
  })
}

/** Locks the row of a list. */
export async function lock(tx: Db, listId: string) {
  const list = await tx
    .selectFrom('sensitive_list')
    .select(['name', 'action', 'is_enabled', 'word_count', 'changed_at', 'changed_by'])
    .where('id', '=', listId)
    .forUpdate()
    .executeTakeFirst()
  if (!list) throw Missing()
  return list
}

/** Marks the words of a list as changed: each process reloads them. */
export async function markChanged(tx: Db, by: StaffActor, listId: string): Promise<void> {
  const word_count = sql<number>`(select count(*)::int from sensitive_word where list_id = ${listId})`
  // Whole milliseconds, to compare equal with the value that the client sends back.
  const changed_at = sql<Date>`date_trunc('milliseconds', clock_timestamp())`
  await tx.updateTable('sensitive_list').set({ word_count, changed_at, changed_by: by.id }).where('id', '=', listId).execute()
  invalidate(tx, wordsTag)
}

async function accountOf(db: Db, staffId: string | null): Promise<string> {
  const row = await db.selectFrom('staff').select('account').where('id', '=', staffId).executeTakeFirst()
  return row?.account ?? '?'
}
