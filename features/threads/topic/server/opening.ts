import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { Block, Doc, Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as posts from '#post/server/post.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as writing from '#writing/server/writing.ts'

/**
 * The content of a post on its way between the opening of a topic and a comment. Times are strings, since a `Date` would drop their
 * microseconds.
 */
export type PostContent = {
  author_id: string
  body: string
  segments: string
  text: string
  published_at: string
  edited_at: string | null
  edited_by: string | null
  ai_label: AiLabelView
}

/** The times of publication and edit in the database's full precision. */
export const exactTimes = [sql<string>`published_at::text`.as('published_at'), sql<string | null>`edited_at::text`.as('edited_at')]

type CommentContent = { commentId: string; content: PostContent }

/** Makes a comment the opening of a topic: of the one it opened before, if there is one. Author and times stay those of the comment. */
export async function openFromComment(
  tx: Db,
  { commentId, content }: CommentContent,
  { title, place }: { title: string; place: PlaceView },
): Promise<string> {
  const { text: summary, ...same } = content
  const document = JSON.parse(content.body) as Doc
  const pictures = await writing.picturesForList(tx, content.author_id, document)
  const row = { ...same, tag_id: place.id, title, summary, pictures, locks: hiddenPart.locksIn(document), status: 'published' as const }
  const before = await tx.selectFrom('topic').select(['id', 'kind']).where('merged_as', '=', commentId).forUpdate().executeTakeFirst()
  const id = before ? await restoreTopic(tx, before.id, row) : await insertTopic(tx, row)
  const thread = {
    id,
    kind: before?.kind ?? 'topic',
    status: row.status,
    tagId: place.id,
    parentTagId: place.parent?.id ?? null,
    alsoListedIn: [],
  }
  await posts.onPublished(tx, [{ kind: 'topic', id, authorId: content.author_id, commentId: null, thread }])
  await posts.indexTitle(tx, id, title)
  await copyVersions(tx, commentId, id, title)
  return id
}

type OpeningRow = Omit<PostContent, 'text'> & {
  tag_id: string
  title: string
  summary: string
  pictures: string
  locks: Lock[]
  status: 'published'
}

async function insertTopic(tx: Db, row: OpeningRow): Promise<string> {
  const added = { ...row, kind: 'topic' as const, last_reply_at: row.published_at }
  return (await tx.insertInto('topic').values(added).returning('id').executeTakeFirstOrThrow()).id
}

async function restoreTopic(tx: Db, id: string, row: OpeningRow): Promise<string> {
  const back = { deleted_by: null, deleted_from: null, deleted_at: null, deleted_reason: null, purged_at: null, merged_as: null }
  await tx
    .updateTable('topic')
    .set({ ...row, ...back, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
  return id
}

// The offset skips versions copied by an earlier conversion.
async function copyVersions(tx: Db, commentId: string, topicId: string, title: string): Promise<void> {
  await sql`
    insert into topic_revision (topic_id, title, body, ai_label, written_at, written_by, is_withheld)
    select ${topicId}, ${title}, body, ai_label, written_at, written_by, is_withheld from comment_revision where comment_id = ${commentId}
    order by id offset (select count(*) from topic_revision where topic_id = ${topicId})`.execute(tx)
}

/** The content of a topic's opening. */
export async function openingContent(tx: Db, topicId: string): Promise<PostContent> {
  const { body, segments, ...row } = await tx
    .selectFrom('topic')
    .select(['author_id', 'body', 'segments', 'summary as text', 'edited_by', 'ai_label'])
    .select(exactTimes)
    .where('id', '=', topicId)
    .executeTakeFirstOrThrow()
  const added = await withPostscripts(tx, topicId, row.author_id, body as Doc)
  return { ...row, body: JSON.stringify(added?.body ?? body), segments: JSON.stringify(added?.segments ?? segments) }
}

/** Comments have no postscripts: those of a question are appended to its content, each under a heading with number and time. */
async function withPostscripts(tx: Db, topicId: string, authorId: string, { content }: Doc) {
  const rows = await tx
    .deleteFrom('postscript')
    .where('topic_id', '=', topicId)
    .where('removed_at', 'is', null)
    .returning(['number', 'body', sql<string>`to_char(written_at, 'YYYY-MM-DD HH24:MI')`.as('at')])
    .execute()
  if (rows.length === 0) return null
  const added = rows
    .toSorted((one, other) => one.number - other.number)
    .flatMap(({ number, at, body }): Block[] => [
      { type: 'heading', attrs: { level: 4 }, content: [{ type: 'text', text: `P.S. ${number} · ${at}` }] },
      ...(body as Doc).content,
    ])
  const body: Doc = { type: 'doc', content: [...content, ...added] }
  const [segments] = await writing.renderAll(tx, authorId, [body])
  return { body, segments }
}

/** Removes a topic whose opening became a comment elsewhere. The row keeps its title, in case the topic is restored. */
export async function closeMerged(tx: Db, topic: posts.Thread, commentId: string): Promise<void> {
  await posts.takeDown(tx, [posts.openingOf(topic)], { by: 'staff', notifies: false })
  await posts.blankThread(tx, topic.id)
  await tx.updateTable('topic').set({ merged_as: commentId }).where('id', '=', topic.id).execute()
}
