import { sql } from 'kysely'
import { CannotStart } from '#base/server/cannot-start.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { importsTag } from '#importer/server/old-address.ts'
import { withOwner } from '#importer/server/owner.ts'
import type { Program } from '#importer/server/source.ts'
import { bookCredit } from '#importer/server/write/credits.ts'

/**
 * Removes all that an import brought, in one transaction. Refuses once a member of it has logged in, or others have written among it. The books
 * never forget: what members brought is booked back, and those who had it stay as empty accounts.
 */
export function undoImport(store: { database: Database; ownerUrl: string }, program: Program): Promise<{ removed: number }> {
  return withOwner(store, (database) => transact(database, (tx) => undo(tx, program)))
}

async function undo(tx: Db, program: Program): Promise<{ removed: number }> {
  const its = await tx
    .selectFrom('import')
    .select(['id', 'guest_id'])
    .where('program', '=', program)
    .where('undone_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!its) throw new CannotStart(`Nothing was imported from ${program}.`)
  await gather(tx, its.id, its.guest_id)
  await refuseIfUsed(tx)
  await tx
    .updateTable('import')
    .set({ undone_at: sql`clock_timestamp()`, guest_id: null })
    .where('id', '=', its.id)
    .execute()
  await bookBack(tx, its.id)
  const removed = await removeAll(tx)
  await tx.deleteFrom('import_undone_row').execute()
  await tx.deleteFrom('import_row').where('import_id', '=', its.id).execute()
  await tx.deleteFrom('import_stage').where('import_id', '=', its.id).execute()
  invalidate(tx, 'everything', 'tags', 'role', importsTag)
  return { removed }
}

/** The ids that came, by the table that they are in here. Members who were joined with one here, and roles that were taken, stay. */
async function gather(tx: Db, importId: string, guestId: string | null): Promise<void> {
  await sql`
    insert into import_undone_row (kind, id)
    select distinct its.kind, new_id::text as id
    from (
      select case kind when 'thread' then 'topic' when 'guest' then 'member' when 'group' then 'role' when 'copy' then 'message' else kind end as kind, new_id
      from import_row where import_id = ${importId}
      union all select 'member', ${guestId}::text
    ) as its
    where its.kind in ('tag', 'member', 'file', 'topic', 'comment', 'reply', 'message', 'role') and new_id is not null
      and not exists (select from import_row as kept where kept.import_id = ${importId} and kept.kind = 'kept' and kept.old_id = its.kind || ' ' || its.new_id)`.execute(
    tx,
  )
}

/** Refuses where a removal would take what others wrote since: posts under what came, and messages to its members but for the welcome. */
async function refuseIfUsed(tx: Db): Promise<void> {
  const { rows } = await sql<{ members: number; written: number }>`
    with topics as (select id from import_undone_row where kind = 'topic'), members as (select id from import_undone_row where kind = 'member')
    select (select count(distinct member_id)::int from login_log where member_id::text in (select id from members)) as members, (
      select count(*)::int from (
        select 'topic' as kind, id from topic where tag_id::text in (select id from import_undone_row where kind = 'tag')
        union all select 'comment', id from comment where topic_id::text in (select id from topics) and purged_at is null
        union all select 'reply', id from reply where topic_id::text in (select id from topics)
        union all select 'message', id from message where (low_id::text in (select id from members) or high_id::text in (select id from members))
          and author_id not in (select id from member where is_official union select member_id from welcome_message where member_id is not null)
      ) as its where not exists (select from import_undone_row as came where came.kind = its.kind and came.id = its.id::text)) as written`.execute(
    tx,
  )
  const [{ members, written } = { members: 0, written: 0 }] = rows
  if (members > 0) throw new CannotStart(`${members} members of the import have logged in, so it cannot be undone as a whole any more.`)
  if (written > 0)
    throw new CannotStart(`${written} posts and messages were written among what was imported, so it cannot be undone as a whole any more.`)
}

/** Books the opposite of each balance that came along. */
async function bookBack(tx: Db, importId: string): Promise<void> {
  const credits = await tx
    .selectFrom('import_credit')
    .select(['member_id', 'currency', 'amount'])
    .where('import_id', '=', importId)
    .where('transaction_id', 'is not', null)
    .where('undone_by', 'is', null)
    .execute()
  for (const { member_id: memberId, currency, amount } of credits) {
    const { id } = await bookCredit(tx, 'importUndone', { importId, memberId, currency, amount: -BigInt(amount) })
    await tx
      .updateTable('import_credit')
      .set({ undone_by: id })
      .where('import_id', '=', importId)
      .where('member_id', '=', memberId)
      .where('currency', '=', currency)
      .execute()
  }
}

async function removeAll(tx: Db): Promise<number> {
  await sql`delete from import_credit where transaction_id is null and member_id::text in (select id from import_undone_row where kind = 'member')`.execute(
    tx,
  )
  await removeMarks(tx)
  let removed = 0
  for (const table of ['message', 'reply', 'comment', 'topic'] as const) removed += await remove(tx, table)
  await sql`update tag set topic_count = (select count(*) from topic where tag_id = tag.id and status = 'published')`.execute(tx)
  for (const table of ['tag', 'role'] as const) removed += await remove(tx, table)
  // Their bytes go as those of any file that nothing uses.
  await sql`update member set avatar = null where avatar in (select id from import_undone_row where kind = 'file')`.execute(tx)
  await sql`update file set owner_id = null, unused_since = now() - interval '1 year' where id in (select id from import_undone_row where kind = 'file')`.execute(
    tx,
  )
  await emptyAccounts(tx)
  return removed + (await remove(tx, 'member'))
}

async function remove(tx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ removed: number }>`select remove_undone(${table})::int as removed`.execute(tx)
  return rows[0]?.removed ?? 0
}

/** Rows that name posts by kind and id, which no foreign key finds, and those of hidden parts. */
async function removeMarks(tx: Db): Promise<void> {
  await sql`delete from post_like where (post_kind::text, post_id::text) in (select kind, id from import_undone_row)`.execute(tx)
  await sql`delete from tally where (post_kind::text, post_id::text) in (select kind, id from import_undone_row)`.execute(tx)
  await sql`delete from reward where (post_kind::text, post_id::text) in (select kind, id from import_undone_row)`.execute(tx)
  await sql`delete from review where (kind, post_id::text) in (select kind, id from import_undone_row)`.execute(tx)
  await sql`delete from follow where (of, of_id::text) in (select kind, id from import_undone_row)`.execute(tx)
  await sql`delete from hidden.opened_before where part_id in (select part.id from hidden.part where topic_id::text in (select id from import_undone_row where kind = 'topic')
    or comment_id::text in (select id from import_undone_row where kind = 'comment'))`.execute(tx)
  await sql`delete from hidden.part where topic_id::text in (select id from import_undone_row where kind = 'topic')
    or comment_id::text in (select id from import_undone_row where kind = 'comment')`.execute(tx)
}

/** An account in the books stays, without a name, an address or a way in. */
async function emptyAccounts(tx: Db): Promise<void> {
  await sql`delete from contact where member_id::text in (select id from import_undone_row where kind = 'member')`.execute(tx)
  await sql`
    update member set account = 'undone-' || id, account_key = 'undone-' || id, nickname = null, nickname_key = null, password_hash = null, about = '',
      deactivated_at = coalesce(deactivated_at, now()), deactivated_as = 'erased', deactivated_because = null, topic_count = 0, comment_count = 0, reply_count = 0
    where id::text in (select id from import_undone_row where kind = 'member') and exists (select from ledger.account where name = 'member' and owner_id = member.id)`.execute(
    tx,
  )
  await sql`delete from written where member_id::text in (select id from import_undone_row where kind = 'member')`.execute(tx)
  await sql`delete from import_undone_row where kind = 'member' and exists (select from ledger.account where name = 'member' and owner_id::text = import_undone_row.id)`.execute(
    tx,
  )
}
