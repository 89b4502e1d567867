import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { Staff } from '#base/server/http/route.ts'
import type { remarkForStaff, topicForStaff } from '#content/contract.ts'
import { stateOf } from '#content/server/filter.ts'
import { marksOfTopic } from '#content/server/lists.ts'
import { postView, type PostRow } from '#content/server/post.ts'
import type { standings } from '#content/views.ts'
import * as posts from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import { tables, type Kind, type RemarkKind } from '#kind/contract.ts'

const maxRows = 50

export async function topic(db: Db, by: Staff, topicId: string): Promise<Output<typeof topicForStaff>> {
  const [row, earlier, actions, postscripts, hiddenParts, parts] = await Promise.all([
    topicRow(db, topicId),
    versionsBefore(db, 'topic', topicId),
    actionsTo(db, `topic ${topicId}`),
    question.postscriptsForStaff(db, topicId),
    hiddenPart.countIn(db, topicId),
    topics.partsOf(db, topicId),
  ])
  if (!row) throw Missing()
  const [people, places] = await Promise.all([user.authors(db, memberIds(row, earlier)), tag.places(db)])
  const place = places.get(row.tag_id)
  if (!place) throw new Error(`Topic ${topicId} lies in no tag`)
  return {
    ...postView(row, people),
    title: row.title,
    body: await hiddenPart.restore(db, by, { topicId, body: row.body as Doc, tagId: row.tag_id }),
    place,
    lastReplyAt: row.last_reply_at.toISOString(),
    commentCount: row.comment_count,
    floors: row.floors,
    viewCount: Number(row.view_count),
    pin: row.pin,
    marks: row.marks,
    tags: row.tag_ids.flatMap((id) => places.get(id) ?? []),
    postscripts,
    hiddenParts,
    parts,
    versions: await versions(db, row.author_id, earlier, people),
    actions,
  }
}

export async function remark(db: Db, { kind, id }: ParsedInput<typeof remarkForStaff>): Promise<Output<typeof remarkForStaff>> {
  const [row, earlier] = await Promise.all([remarkRow(db, kind, id), versionsBefore(db, kind, id)])
  if (!row) throw Missing()
  const people = await user.authors(db, memberIds(row, earlier))
  return {
    ...postView(row, people),
    body: row.body as Doc,
    topicId: row.topic_id,
    versions: await versions(db, row.author_id, earlier, people),
  }
}

type VersionState = (typeof standings)[number]
type Version = {
  id: string
  standing: VersionState
  title: string | null
  tag_ids: string[] | null
  body: unknown
  written_at: Date
  written_by: string | null
}
type People = Awaited<ReturnType<typeof user.authors>>

async function versions(db: Db, authorId: string, earlier: readonly Version[], people: People) {
  const bodies = earlier.map(({ body }) => body as Doc)
  const [rendered, places] = await Promise.all([writing.renderAll(db, authorId, bodies), tag.places(db)])
  return earlier.map(({ id, standing, title, tag_ids, written_at, written_by }, index) => ({
    id,
    standing,
    title,
    tags: (tag_ids ?? []).flatMap((tagId) => places.get(tagId) ?? []),
    segments: rendered[index] ?? [],
    writtenAt: written_at.toISOString(),
    writtenBy: people.get(written_by ?? authorId) ?? null,
  }))
}

function memberIds(row: PostRow, earlier: readonly Version[]): string[] {
  const others = [row.edited_by, ...earlier.map((version) => version.written_by)].filter((one) => one !== null)
  return [row.author_id, ...others, ...writing.mentionedIn(row.segments as Segment[])]
}

const common = [
  'author_id',
  'deleted_reason',
  'deleted_at',
  'published_at',
  'edited_at',
  'edited_by',
  'version',
  'ai_label',
  'segments',
  'body',
] as const

function topicRow(db: Db, topicId: string) {
  return db
    .selectFrom('topic')
    .select(['id', ...common, 'title', 'tag_id', 'last_reply_at', 'comment_count', 'floors', 'view_count', 'pin'])
    .select([stateOf('topic').as('state'), marksOfTopic.as('marks'), posts.furtherTagsOf(topicId).as('tag_ids')])
    .where('id', '=', topicId)
    .where('purged_at', 'is', null)
    .executeTakeFirst()
}

function remarkRow(db: Db, table: RemarkKind, id: string) {
  return db
    .selectFrom(table)
    .select(['id', ...common, 'topic_id', stateOf(table).as('state')])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .executeTakeFirst()
}

const standing = sql`case when not is_withheld then 'shown' when withheld_at is null then 'neverShown' else 'withheld' end`

async function versionsBefore(db: Db, kind: Kind, id: string): Promise<Version[]> {
  const [title, tagIds] = kind === 'topic' ? [sql.ref('title'), sql.ref('tag_ids')] : [sql`null`, sql`null::bigint[]`]
  const { rows } = await sql<Version>`
    select id, ${standing} as standing, ${title} as title, ${tagIds} as tag_ids, body, written_at, written_by from ${sql.table(tables[kind].revisions)}
    where ${sql.ref(`${kind}_id`)} = ${id} order by id desc limit ${maxRows}`.execute(db)
  return rows
}

async function actionsTo(db: Db, about: string) {
  const rows = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'account', 'action', 'reason'])
    .where('about', '=', about)
    .orderBy('id', 'desc')
    .limit(maxRows)
    .execute()
  const names = await audit.subjectNames(
    db,
    rows.map(({ account }) => account),
  )
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), by: names.get(row.account) ?? null }))
}
