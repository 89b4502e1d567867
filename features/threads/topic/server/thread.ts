import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { Missing, NotAllowed, type Output } from '#base/contract.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { markdownOf } from '#base/server/long-text.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { traits } from '#kind/contract.ts'
import * as linkPreview from '#link-preview/server/link-preview.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { thread } from '#topic/contract.ts'
import { isClosed } from '#topic/server/card.ts'
import { markdownOfParts, partSources, viewParts } from '#topic/server/parts.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

type ThreadView = Output<typeof thread>

/** The public body of a topic: the same for all who may see its tag, so only published topics have one. */
export async function show(db: Db, viewer: Viewer, topicId: string): Promise<ThreadView> {
  const [topic] = await threadRow(db, { topicId })
  if (!topic) throw Missing()
  if (!viewer.may('tag.view', topic.tag_id)) throw NotAllowed()
  const segments = topic.segments as Segment[]
  const mentioned = [segments, ...topic.postscripts.map((one) => one.segments)].flatMap(writing.mentionedIn)
  const [people, places, settings, parts] = await Promise.all([
    user.authors(db, [topic.author_id, ...mentioned]),
    tag.places(db),
    setting.all(db),
    viewParts(db, topicId, topic.parts),
  ])
  const author = people.get(topic.author_id)
  const place = places.get(topic.tag_id)
  if (!author || !place) throw Missing()
  const takesComments = topic.takes_comments && setting.isOpen(settings, traits[topic.kind].comment.allow)
  const visibleSegments = await hiddenPart.withHiddenViews(db, writing.withNames(segments, people))
  const added = topic.postscripts.map((one) => ({
    ...one,
    segments: writing.withNames(one.segments, people),
    writtenAt: new Date(one.writtenAt).toISOString(),
  }))
  const withPreviews = await linkPreview.cardsIn(db, [{ segments: visibleSegments }, ...added])
  return {
    ...viewOf(topic),
    aiLabel: aiLabel.visibleLabel(settings, topic.ai_label),
    takesComments,
    ...withPreviews({ segments: visibleSegments }),
    postscripts: added.map(withPreviews),
    author,
    place,
    tags: [topic.tag_id, ...topic.further.filter((tagId) => viewer.may('tag.view', tagId))].flatMap((tagId) => places.get(tagId) ?? []),
    parts,
  }
}

export async function markdown(db: Db, viewer: Viewer, topicId: string): Promise<{ markdown: string }> {
  const topic = await db
    .selectFrom('topic')
    .select(['tag_id', 'title', 'body', 'ai_label', 'withdrawn_at'])
    .where('id', '=', topicId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  if (!topic) throw Missing()
  if (!viewer.may('tag.view', topic.tag_id)) throw NotAllowed()
  const heading: Block = { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: topic.title }] }
  const { content } = topic.body as Doc
  const [parts, settings] = await Promise.all([topic.withdrawn_at ? [] : markdownOfParts(db, topicId), setting.all(db)])
  const label = aiLabel.asBlocks(aiLabel.visibleLabel(settings, topic.ai_label))
  return {
    markdown: await markdownOf(hiddenPart.withTextPlaceholders({ type: 'doc', content: [heading, ...label, ...content, ...parts] })),
  }
}

/** The addenda on the page. They stay when a question becomes a topic. */
const postscripts = sql<{ number: number; segments: Segment[]; writtenAt: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('number', number, 'segments', segments, 'writtenAt', written_at) order by number), '[]')
  from postscript where postscript.topic_id = topic.id and removed_at is null and topic.withdrawn_at is null)`

const threadRow = statement((db, { topicId }: Parameters<{ topicId: string }>) =>
  db
    .selectFrom('topic')
    .select([
      'id',
      'kind',
      'title',
      'segments',
      'summary',
      'pictures',
      'tag_id',
      'author_id',
      'published_at',
      'edited_at',
      'edited_by',
      'view_count',
      'like_count',
      'favourite_count',
    ])
    .select(['comment_count', 'reply_count', 'floors', 'author_floors', 'pin', 'featured_at', 'ai_label'])
    .select(sql<boolean>`takes_comments and withdrawn_at is null`.as('takes_comments'))
    .select([isClosed, partSources(db).as('parts'), postscripts.as('postscripts'), posts.furtherTagsOf(sql.ref('topic.id')).as('further')])
    .where('id', '=', topicId)
    .where('status', '=', 'published'),
)

function viewOf(topic: Awaited<ReturnType<typeof threadRow>>[number]) {
  return {
    id: topic.id,
    kind: topic.kind,
    title: topic.title,
    summary: topic.summary,
    pictures: topic.pictures as ThreadView['pictures'],
    publishedAt: topic.published_at.toISOString(),
    editedAt: topic.edited_at?.toISOString() ?? null,
    isEditedByStaff: topic.edited_by !== null && topic.edited_by !== topic.author_id,
    viewCount: Number(topic.view_count),
    likeCount: topic.like_count,
    favouriteCount: topic.favourite_count,
    commentCount: topic.comment_count,
    replyCount: topic.reply_count,
    floors: topic.floors,
    authorFloors: topic.author_floors,
    isPinned: topic.pin > 0,
    isFeatured: topic.featured_at !== null,
    isClosed: topic.is_closed,
  }
}
