import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { NotDeleted } from '#content/contract.ts'
import { settleErased } from '#content/server/settle-erased.ts'
import * as favourite from '#favourite/server/favourite.ts'
import * as follow from '#follow/server/follow.ts'
import * as like from '#like/server/like.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

/** Erases for good what was removed before. The log keeps that it was, and whose. */
export async function purge(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { kind, id, reason }: { kind: Kind; id: string; reason: string },
): Promise<void> {
  const post = await posts.lockPost(tx, kind, id)
  if (post.status !== 'deleted') throw NotDeleted()
  await like.postIsErased(tx, { kind, id })
  if (kind === 'topic') {
    await favourite.threadIsErased(tx, id)
    await follow.threadIsErased(tx, id)
  }
  await posts.erase(tx, post)
  await forgetCopies(tx, by, kind, id)
  await audit.note(tx, by.staff, client, {
    deed: `${kind}.purge`,
    about: `${kind} ${id}`,
    ...(reason && { reason }),
    before: { authorId: post.authorId },
  })
}

/** What was copied of a post where it was reported or waited, and what somebody began to write in its place; of a topic, of all that is under it. */
async function forgetCopies(tx: Db, by: Staff, kind: Kind, id: string): Promise<void> {
  const [cases, appeals] = [await emptied(tx, 'report_case', kind, id), await emptied(tx, 'removal', kind, id)]
  await settleErased(tx, by.staff, { cases, appeals })
  await tx
    .updateTable('review')
    .set(wordless)
    .where(isIts(kind, id, 'post_id'))
    .execute()
  await tx
    .deleteFrom('draft')
    .where('place', 'in', () => placesOf(kind, id))
    .execute()
}

async function emptied(tx: Db, table: 'report_case' | 'removal', kind: Kind, id: string): Promise<string[]> {
  const rows = await tx
    .updateTable(table)
    .set({ title: '', excerpt: '' })
    .where(isIts(kind, id, 'thing_id'))
    .returning('id')
    .execute()
  // What was said there and has moved on keeps its own words.
  if (kind === 'topic') await tx.updateTable(table).set({ title: '' }).where('topic_id', '=', id).execute()
  return rows.map((row) => row.id)
}

function isIts(kind: Kind, id: string, column: 'thing_id' | 'post_id') {
  const post = sql.ref(column)
  if (kind !== 'topic') return sql<boolean>`kind = ${kind} and ${post} = ${id}`
  return sql<boolean>`case kind when 'topic' then ${post} = ${id}
    when 'comment' then ${post} in (select id from comment where topic_id = ${id}) else ${post} in (select id from reply where topic_id = ${id}) end`
}

const wordless = {
  own_title: null,
  own_body: null,
  title: null,
  segments: null,
  body: null,
  summary: null,
  pictures: null,
  file_ids: [],
  words: [],
}

function placesOf(kind: Kind, id: string) {
  if (kind !== 'topic') return sql<string>`(${`edit ${kind} ${id}`})`
  return sql<string>`(
    select unnest(array['edit topic ', 'comment ']) || ${id}::text
    union all select unnest(array['edit comment ', 'reply ']) || id from comment where topic_id = ${id}
    union all select 'edit reply ' || id from reply where topic_id = ${id})`
}
