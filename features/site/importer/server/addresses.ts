import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { OldTarget } from '#importer/server/source.ts'
import { postPath, threadPath, type ThreadKind } from '#kind/contract.ts'
import * as user from '#user/server/user.ts'

/** Our addresses of what old addresses lead to, by the same keys. What did not come along is missing. */
export async function addressesOfTargets(db: Db, importId: string, targets: ReadonlyMap<string, OldTarget>): Promise<Map<string, string>> {
  const all = [...targets]
  if (all.length === 0) return new Map()
  const idsOf = (...to: OldTarget['to'][]) => all.flatMap(([, target]) => (to.includes(target.to) ? [target.id] : []))
  const [posts, others] = [await postPaths(db, importId, idsOf('post')), await newIdsOf(db, importId, all)]
  const threads = await threadKinds(db, importId, idsOf('thread'))
  const found = new Map<string, string>()
  for (const [key, target] of all) {
    const thread = target.to === 'thread' ? threads.get(target.id) : undefined
    const address =
      target.to === 'post'
        ? posts.get(target.id)
        : target.to === 'thread'
          ? thread && (await pathWithin(db, importId, thread, target))
          : otherPath(target.to, others.get(keyOf(target)))
    if (address !== undefined) found.set(key, address)
  }
  return found
}

/** A name has the key that all its spellings share. */
function keyOf({ to, id }: OldTarget): string {
  return `${to} ${to === 'name' ? user.nameKey(id) : id}`
}

function otherPath(to: OtherKind, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (to === 'tag') return `/index?tagId=${id}`
  return to === 'file' ? `/file/${id}` : user.profilePath(id)
}

type OtherKind = 'tag' | 'member' | 'name' | 'file'

function isOther(target: OldTarget): target is OldTarget & { to: OtherKind } {
  return target.to !== 'post' && target.to !== 'thread'
}

async function newIdsOf(db: Db, importId: string, targets: readonly (readonly [string, OldTarget])[]): Promise<Map<string, string>> {
  const others = targets.flatMap(([, target]) => (isOther(target) ? [target] : []))
  if (others.length === 0) return new Map()
  const rows = await db
    .selectFrom('import_row')
    .select(['kind', 'old_id', 'new_id'])
    .where('import_id', '=', importId)
    .where('kind', 'in', ['tag', 'member', 'name', 'file'])
    .where('old_id', '=', anyOf(others.map((target) => (target.to === 'name' ? user.nameKey(target.id) : target.id))))
    .execute()
  return new Map(rows.map(({ kind, old_id, new_id }) => [`${kind} ${old_id}`, new_id]))
}

type PostRow = {
  oldId: string
  kind: 'topic' | 'comment' | 'reply'
  id: string
  topicId: string
  commentId: string | null
  thread: ThreadKind
}

/** A comment that has become a topic, or has moved to another, is found where it is now by the page itself. */
async function postPaths(db: Db, importId: string, oldIds: readonly string[]): Promise<Map<string, string>> {
  if (oldIds.length === 0) return new Map()
  const { rows } = await sql<PostRow>`
    select old_id as "oldId", case its.kind when 'opening' then 'topic' else its.kind end as kind, new_id as id, topic.id as "topicId", topic.kind as thread,
      case its.kind when 'comment' then new_id when 'reply' then reply.comment_id::text end as "commentId"
    from import_row as its
      left join comment on its.kind = 'comment' and comment.id = new_id::bigint
      left join reply on its.kind = 'reply' and reply.id = new_id::bigint
      join topic on topic.id = coalesce(comment.topic_id, reply.topic_id, its.topic_id)
    where import_id = ${importId} and its.kind in ('opening', 'comment', 'reply') and old_id = any(${oldIds}::text[])`.execute(db)
  return new Map(rows.map(({ oldId, ...post }) => [oldId, postPath(post)]))
}

type ThreadRow = { id: string; kind: ThreadKind }

async function threadKinds(db: Db, importId: string, oldIds: readonly string[]): Promise<Map<string, ThreadRow>> {
  if (oldIds.length === 0) return new Map()
  const { rows } = await sql<ThreadRow & { oldId: string }>`
    select old_id as "oldId", topic.id, topic.kind from import_row join topic on topic.id = new_id::bigint
    where import_id = ${importId} and import_row.kind = 'thread' and old_id = any(${oldIds}::text[])`.execute(db)
  return new Map(rows.map(({ oldId, ...thread }) => [oldId, thread]))
}

/** The thread, or the comment in it that an address names by its number or place; the next earlier one where that is gone. */
async function pathWithin(
  db: Db,
  importId: string,
  { id: topicId, kind: thread }: ThreadRow,
  { number, place }: OldTarget & { to: 'thread' },
): Promise<string> {
  if (number !== undefined && number > 1) {
    const row = await db
      .selectFrom('import_row')
      .select('new_id')
      .where('import_id', '=', importId)
      .where('topic_id', '=', topicId)
      .where('kind', '=', 'comment')
      .where('number', '<=', number)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row) return postPath({ kind: 'comment', thread, topicId, id: row.new_id, commentId: row.new_id })
  }
  if (place !== undefined && place > 0) {
    const row = await db
      .selectFrom('comment')
      .select('id')
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .orderBy('floor')
      .offset(place - 1)
      .limit(1)
      .executeTakeFirst()
    if (row) return postPath({ kind: 'comment', thread, topicId, id: row.id, commentId: row.id })
  }
  return threadPath(topicId, thread)
}
