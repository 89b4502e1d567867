import { sql, type RawBuilder } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { kinds, remarkKinds, type Kind, type RemarkKind } from '#kind/contract.ts'
import type { PostView } from '#notification/contract.ts'
import { findOwnThread, findThread, lockAnyThread, lockAnyThreads, lockThread, type Thread, type LockOptions } from '#post/server/thread.ts'

/** A post of any kind, with its thread. */
export type Post = {
  kind: Kind
  id: string
  authorId: string
  status: 'pending' | 'published' | 'deleted'
  /** Its status before the deletion. */
  deletedFrom: 'pending' | 'published' | null
  deletedBy: 'author' | 'staff' | null
  version: number
  aiLabel: AiLabelView
  /** The comment itself, or the comment above a reply. */
  commentId: string | null
  /** The comment quoted by a comment, or the reply answered by a reply. */
  refersTo: string | null
  floor: number | null
  thread: Thread
}

/** Locks a post for staff, removed or not, unless its content is erased. */
export async function lockPost(tx: Db, kind: Kind, id: string): Promise<Post> {
  return postInThread(tx, await lockAnyThread(tx, await threadOf(tx, kind, id)), kind, id, sql`for update`)
}

/** Locks many posts for staff; in the same order as writers do, from the thread downwards. */
export async function lockPosts(
  tx: Db,
  named: readonly Pick<Post, 'kind' | 'id'>[],
  which: LockOptions = { includesErased: false },
): Promise<Post[]> {
  const idsOf = (kind: Kind) => named.flatMap((one) => (one.kind === kind ? one.id : []))
  const topicIds: string[] = []
  for (const kind of kinds) topicIds.push(...(await threadsOf(tx, kind, idsOf(kind))))
  const threads = await lockAnyThreads(tx, topicIds, which)
  const found: Post[] = idsOf('topic').flatMap((id) => [threads.get(id) ?? []].flat().map(openingOf))
  for (const kind of remarkKinds)
    for (const row of await remarks(tx, kind, idsOf(kind), sql`for update`, which)) {
      const thread = threads.get(row.topicId)
      if (thread) found.push({ ...row, thread })
    }
  return found
}

/** Locks a post that this member may see: a published one, or their own pending one. */
export async function lockOwnPost(tx: Db, member: Member, kind: Kind, id: string): Promise<Post> {
  const thread = await lockThread(tx, member, await threadOf(tx, kind, id))
  return own(member, await postInThread(tx, thread, kind, id, sql`for update`))
}

/** The same without a lock. Posts under an opening are readable only in a published thread. */
export async function readOwnPost(db: Db, member: Member, kind: Kind, id: string): Promise<Post> {
  const thread = await (kind === 'topic' ? findOwnThread : findThread)(db, member, await threadOf(db, kind, id))
  return own(member, await postInThread(db, thread, kind, id))
}

/** Locks a published comment for a reply to it. */
export async function lockPublishedRemark(tx: Db, member: Member, kind: RemarkKind, id: string): Promise<Post> {
  const post = await lockOwnPost(tx, member, kind, id)
  if (post.status !== 'published') throw Missing()
  return post
}

export async function findPublished(db: Db, viewer: Viewer, kind: Kind, id: string): Promise<Post> {
  const post = await postInThread(db, await findThread(db, viewer, await threadOf(db, kind, id)), kind, id)
  if (post.status !== 'published') throw Missing()
  return post
}

/** The opening of a thread as a post. */
export function openingOf(thread: Thread): Post {
  const { id, authorId, status, deletedFrom, deletedBy, version, aiLabel } = thread
  const own = { id, authorId, status, deletedFrom, deletedBy, version, aiLabel }
  return { kind: 'topic', ...own, commentId: null, refersTo: null, floor: null, thread }
}

/** The view of a post in notifications to its author. */
export async function postView(db: Db, { kind, id, commentId, thread }: Post): Promise<PostView> {
  const excerpt = kind === 'topic' ? '' : (await db.selectFrom(kind).select('text').where('id', '=', id).executeTakeFirstOrThrow()).text
  return { kind, thread: thread.kind, id, topicId: thread.id, commentId, title: thread.title, excerpt }
}

function own(member: Member, post: Post): Post {
  const isSeen = post.status === 'published' || (post.status === 'pending' && post.authorId === member.id)
  if (!isSeen) throw Missing()
  return post
}

async function threadOf(tx: Db, kind: Kind, id: string): Promise<string> {
  const [topicId] = await threadsOf(tx, kind, [id])
  if (!topicId) throw Missing()
  return topicId
}

async function threadsOf(tx: Db, kind: Kind, ids: readonly string[]): Promise<string[]> {
  if (kind === 'topic' || ids.length === 0) return [...ids]
  const rows = await tx.selectFrom(kind).select('topic_id').where('id', '=', anyOf(ids)).execute()
  return rows.map(({ topic_id }) => topic_id)
}

async function postInThread(tx: Db, thread: Thread, kind: Kind, id: string, locks = sql``): Promise<Post> {
  if (kind === 'topic') return openingOf(thread)
  const [row] = await remarks(tx, kind, [id], locks)
  if (!row) throw Missing()
  return { ...row, thread }
}

type RemarkRow = Omit<Post, 'thread'> & { topicId: string }

async function remarks(
  tx: Db,
  kind: RemarkKind,
  ids: readonly string[],
  locks: RawBuilder<unknown>,
  { includesErased }: LockOptions = { includesErased: false },
): Promise<RemarkRow[]> {
  const { rows } = await sql<RemarkRow>`
    select ${kind} as kind, id, topic_id as "topicId", author_id as "authorId", status, deleted_from as "deletedFrom",
      deleted_by as "deletedBy", version, ai_label as "aiLabel", ${columnsOfKind[kind]}
    from ${sql.table(kind)} where id = any(${ids}::bigint[]) and (${includesErased} or purged_at is null) order by id ${locks}`.execute(tx)
  return rows
}

const columnsOfKind = {
  comment: sql`id as "commentId", quotes as "refersTo", floor`,
  reply: sql`comment_id as "commentId", answers as "refersTo", null::int as floor`,
}
