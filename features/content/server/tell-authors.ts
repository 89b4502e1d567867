import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Change } from '#content/server/standing.ts'
import * as notice from '#notice/server/notice.ts'
import * as posts from '#post/server/post.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

type Batch = { id: string; kind: Kind; reason: string | null }
type Done = Change & { id: string }
/** What of it is one author's, in threads of one kind. */
type Theirs = { authorId: string; thread: ThreadKind; ids: string[] }

/** Tells authors what a batch took away or brought back: of one thing as of any, of several of theirs together. */
export async function tellAuthors(tx: Db, batch: Batch, done: readonly Done[]): Promise<void> {
  const gone = done.filter(({ after }) => after.status === 'deleted' && after.deletedBy === 'staff')
  const back = done.filter(({ before, after }) => before.status === 'deleted' && after.status !== undefined && after.status !== 'deleted')
  for (const [its, isBack] of [
    [gone, false],
    [back, true],
  ] as const)
    for (const one of await byAuthor(tx, batch.kind, its)) await tell(tx, batch, { ...one, isBack })
}

async function tell(tx: Db, { id, kind, reason }: Batch, { authorId, thread, ids, isBack }: Theirs & { isBack: boolean }): Promise<void> {
  const [first = ''] = ids
  const [many, why] = [{ what: kind, thread, count: ids.length }, reason ?? '']
  const said = isBack ? ({ kind: 'manyRestored', ...many } as const) : ({ kind: 'manyRemoved', ...many, reason: why } as const)
  if (await notice.countAlong(tx, authorId, id, said)) return
  if (ids.length > 1) return notice.tellOfMany(tx, authorId, id, said)
  const post = await posts.lockPost(tx, kind, first)
  if (isBack) return posts.tellRestored(tx, post, post.status)
  await notice.tell(tx, authorId, { kind: 'postRemoved', post: await posts.postView(tx, post), reason: why, mayAppeal: true })
}

async function byAuthor(tx: Db, kind: Kind, done: readonly Done[]): Promise<Theirs[]> {
  const { rows } = await sql<Theirs>`
    select author_id as "authorId", ${sql.ref(kind === 'topic' ? 'kind' : 'thread_kind')} as thread, array_agg(id::text order by id) as ids
    from ${sql.table(kind)} where id = any(${done.map(({ id }) => id)}::bigint[]) group by 1, 2 order by min(id)`.execute(tx)
  return rows
}
