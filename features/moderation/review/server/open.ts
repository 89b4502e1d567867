import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { truncate } from '#base/characters.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as posts from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import type { openReview, WaitingView } from '#review/contract.ts'
import { find } from '#review/server/queue.ts'
import { withoutRemoved, body, presentSegments, segments } from '#review/server/rows.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

const postsBefore = 3
const topicLength = 300

type OpenedReview = Output<typeof openReview>

/** A pending post as staff see it: its context, and the data that a decision needs. */
export async function open(db: Db, by: Staff, reviewId: string): Promise<OpenedReview> {
  const waiting = await find(db, by, reviewId)
  const [row, before, history, { rejectReasons }] = await Promise.all([
    rowOf(db, waiting),
    precedingPosts(db, waiting),
    historyOf(db, waiting.author.id),
    setting.all(db),
  ])
  const isTopic = waiting.kind === 'topic'
  const [editors, [own], { present, ...asked }, parts] = await Promise.all([
    user.authors(db, row.edited_by ? [row.edited_by] : []),
    writing.renderAll(db, waiting.author.id, row.own_body ? [row.own_body as Doc] : []),
    tagsOf(db, waiting, row),
    isTopic ? topics.partsOf(db, waiting.postId) : {},
  ])
  const newTitle = isTopic ? (row.newTitle ?? waiting.title) : null
  return {
    ...waiting,
    newTitle,
    ...asked,
    parts,
    segments: await withKeys(db, row.segments),
    body: await hiddenPart.restore(db, by, {
      topicId: waiting.topicId,
      body: row.body,
      tagId: row.tag_id,
      waits: waiting.isEdit,
    }),
    found: await sensitiveWord.wordsIn(db, { title: newTitle, document: row.body }),
    present: row.present && { title: isTopic ? waiting.title : null, tags: present, segments: await withKeys(db, row.present) },
    own: own ? { title: row.own_title, segments: await withKeys(db, own) } : null,
    editedBy: editors.get(row.edited_by ?? '') ?? null,
    topicText: isTopic ? null : truncate(toText(row.topicBody as Doc), topicLength),
    before,
    history,
    rejectReasons: rejectReasons.map(bilingual),
  }
}

function rowOf(db: Db, { id, topicId }: WaitingView) {
  return withoutRemoved(db)
    .select([
      'review.title as newTitle',
      segments.as('segments'),
      body.as('body'),
      presentSegments.as('present'),
      'review.tag_id as newTagId',
      'review.tag_ids',
      posts.furtherTagsOf(topicId).as('present_tags'),
      'review.own_title',
      'review.own_body',
      'review.edited_by',
      'topic.body as topicBody',
      'topic.tag_id',
    ])
    .where('review.id', '=', id)
    .executeTakeFirstOrThrow()
}

type Tags = { newTagId: string | null; tag_id: string; tag_ids: string[] | null; present_tags: string[] }

/** The pending and the present secondary tags, each with its path where they change; and the addenda of a question. */
async function tagsOf(db: Db, { kind, topicId }: WaitingView, { newTagId, tag_id, tag_ids, present_tags }: Tags) {
  if (kind !== 'topic') return { tags: [], present: [], postscripts: [] }
  const [places, postscripts] = await Promise.all([tag.places(db), question.postscriptsForStaff(db, topicId)])
  const named = (ids: readonly string[]) => ids.flatMap((id) => places.get(id) ?? [])
  const [to, from] = newTagId ? [[newTagId], [tag_id]] : [[], []]
  return { tags: named([...to, ...(tag_ids ?? present_tags)]), present: named([...from, ...present_tags]), postscripts }
}

// Chinese, a bar, English; a line without a bar serves for both.
function bilingual(line: string): { zh: string; en: string } {
  const [zh = '', en = ''] = line.split('|').map((part) => part.trim())
  return { zh: zh || en, en: en || zh }
}

function withKeys(db: Db, segments: readonly Segment[]): Promise<Segment[]> {
  return Promise.all(segments.map(async (segment) => ({ ...segment, html: await file.withStaffKeys(db, segment.html) })))
}

/** The posts right before it, nearest last: comments before a comment; before a reply its comment and the earlier replies. */
async function precedingPosts(db: Db, { kind, topicId, postId }: WaitingView): Promise<OpenedReview['before']> {
  if (kind === 'topic') return []
  const rows = kind === 'comment' ? await commentsBefore(db, topicId, postId) : await repliesBefore(db, postId)
  const people = await user.authors(
    db,
    rows.map(({ author_id }) => author_id),
  )
  return rows.flatMap(({ author_id, text, floor, published_at }) => {
    const author = people.get(author_id)
    return author ? [{ author, text, floor, at: published_at.toISOString() }] : []
  })
}

type PrecedingPost = { author_id: string; text: string; floor: number | null; published_at: Date }

async function commentsBefore(db: Db, topicId: string, commentId: string): Promise<PrecedingPost[]> {
  const rows = await db
    .selectFrom('comment')
    .select(['author_id', 'text', 'floor', 'published_at'])
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .where(sql<boolean>`floor < coalesce((select floor from comment where id = ${commentId}), 2147483647)`)
    .orderBy('floor', 'desc')
    .limit(postsBefore)
    .execute()
  return rows.reverse()
}

async function repliesBefore(db: Db, replyId: string): Promise<PrecedingPost[]> {
  const [parent, replies] = await Promise.all([
    db
      .selectFrom('reply')
      .innerJoin('comment', 'comment.id', 'reply.comment_id')
      .select(['comment.author_id', 'comment.text', 'comment.floor', 'comment.published_at'])
      .where('reply.id', '=', replyId)
      .where('comment.status', '=', 'published')
      .execute(),
    db
      .selectFrom('reply')
      .innerJoin('reply as earlier', 'earlier.comment_id', 'reply.comment_id')
      .select(['earlier.author_id', 'earlier.text', sql<null>`null`.as('floor'), 'earlier.published_at'])
      .where('reply.id', '=', replyId)
      .whereRef('earlier.id', '<', 'reply.id')
      .where('earlier.status', '=', 'published')
      .orderBy('earlier.id', 'desc')
      .limit(postsBefore)
      .execute(),
  ])
  return [...parent, ...replies.reverse()]
}

async function historyOf(db: Db, memberId: string): Promise<OpenedReview['history']> {
  const [member, states, reasons] = await Promise.all([
    db
      .selectFrom('member')
      .select(['joined_at', 'topic_count', 'comment_count', 'reply_count'])
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('review')
      .select((row) => ['state', row.fn.countAll<string>().as('times')])
      .where('author_id', '=', memberId)
      .groupBy('state')
      .execute(),
    db
      .selectFrom('review')
      .select(['reason_zh', 'reason_en'])
      .where('author_id', '=', memberId)
      .where('reason_zh', 'is not', null)
      .orderBy('id', 'desc')
      .limit(3)
      .execute(),
  ])
  const times = (state: string) => Number(states.find((row) => row.state === state)?.times ?? 0)
  return {
    joinedAt: member.joined_at.toISOString(),
    topics: member.topic_count,
    comments: member.comment_count,
    replies: member.reply_count,
    approved: times('approved'),
    rejected: times('rejected'),
    reasons: reasons.map(({ reason_zh, reason_en }) => ({ zh: reason_zh ?? '', en: reason_en ?? '' })),
  }
}
