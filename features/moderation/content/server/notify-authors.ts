import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { StateChange } from '#content/server/post-state.ts'
import * as notification from '#notification/server/notification.ts'
import * as posts from '#post/server/post.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

type Batch = { id: string; kind: Kind; reason: string | null }
type ChangedPost = StateChange & { id: string }
/** The posts of one author in threads of one kind. */
type AuthorPosts = { authorId: string; thread: ThreadKind; ids: string[] }
type Outcome = 'gone' | 'back' | 'labelled' | 'unlabelled'

/** Notifies authors of a batch: of one post with its details, of several with one summary. */
export async function notifyAuthors(tx: Db, batch: Batch, done: readonly ChangedPost[]): Promise<void> {
  const by = Map.groupBy(done, outcomeOf)
  for (const what of ['gone', 'back', 'labelled', 'unlabelled'] as const)
    for (const one of await byAuthor(tx, batch.kind, by.get(what) ?? [])) await notifyAuthor(tx, batch, { ...one, what })
}

function outcomeOf({ before, after }: ChangedPost): Outcome | null {
  if (after.aiLabel !== undefined) return after.aiLabel ? 'labelled' : 'unlabelled'
  if (after.status === 'deleted') return after.deletedBy === 'staff' ? 'gone' : null
  return before.status === 'deleted' && after.status !== undefined ? 'back' : null
}

async function notifyAuthor(
  tx: Db,
  { id, kind, reason }: Batch,
  { authorId, thread, ids, what }: AuthorPosts & { what: Outcome },
): Promise<void> {
  const [first = ''] = ids
  const [many, why] = [{ what: kind, thread, count: ids.length }, reason ?? '']
  const facts = what === 'back' ? ({ kind: kindsOfMany.back, ...many } as const) : { kind: kindsOfMany[what], ...many, reason: why }
  if (await notification.addToBatch(tx, authorId, id, facts)) return
  if (ids.length > 1) return notification.notifyOfBatch(tx, authorId, id, facts)
  const post = await posts.lockPost(tx, kind, first)
  if (what === 'back') return posts.notifyRestored(tx, post, post.status)
  if (what !== 'gone') return posts.notifyLabelled(tx, post, post.aiLabel, why)
  await notification.notify(tx, authorId, { kind: 'postRemoved', post: await posts.postView(tx, post), reason: why, mayAppeal: true })
}

const kindsOfMany = { gone: 'manyRemoved', back: 'manyRestored', labelled: 'manyLabelled', unlabelled: 'manyUnlabelled' } as const

async function byAuthor(tx: Db, kind: Kind, done: readonly ChangedPost[]): Promise<AuthorPosts[]> {
  const { rows } = await sql<AuthorPosts>`
    select author_id as "authorId", ${sql.ref(kind === 'topic' ? 'kind' : 'thread_kind')} as thread, array_agg(id::text order by id) as ids
    from ${sql.table(kind)} where id = any(${done.map(({ id }) => id)}::bigint[]) group by 1, 2 order by min(id)`.execute(tx)
  return rows
}
