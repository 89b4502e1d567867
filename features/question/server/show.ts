import type { Output } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import type { Member, Viewer } from '#base/server/route.ts'
import { Missing } from '#base/contract.ts'
import * as bounties from '#bounty/server/bounty.ts'
import * as posts from '#post/server/post.ts'
import { mostPostscripts, type myQuestion, type question } from '#question/contract.ts'
import { adoptionOf, mayChange } from '#question/server/adopt.ts'
import { findQuestion } from '#question/server/own.ts'
import { countPostscripts } from '#question/server/postscript.ts'
import * as setting from '#setting/server/setting.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as writing from '#writing/server/writing.ts'

type View = Output<typeof question>

/** What a question has beyond a topic, the same for all who may look there. */
export async function show(db: Db, viewer: Viewer, questionId: string): Promise<View> {
  const { questionState: state } = await posts.findThread(db, viewer, questionId)
  if (!state) throw Missing()
  const [adoption, tags, bounty] = await Promise.all([
    adoptionOf(db, questionId),
    tagsOf(db, viewer, [questionId]),
    bounties.viewOf(db, questionId),
  ])
  return { state, tags: tags.get(questionId) ?? [], bestId: adoption?.comment_id ?? null, bounty }
}

/** The tags of these questions that this viewer may look into, each with the one that says who may see it first. */
export async function tagsOf(db: Db, viewer: Viewer, questionIds: readonly string[]): Promise<Map<string, PlaceView[]>> {
  const [rows, places] = await Promise.all([
    db
      .selectFrom('question_tag')
      .select(['topic_id', 'tag_id'])
      .where('topic_id', '=', anyOf(questionIds))
      .where(tag.seenBy(viewer, 'tag_id'))
      .orderBy((row) => row.eb('tag_id', '=', row.ref('place_id')), 'desc')
      .orderBy('tag_id')
      .execute(),
    tag.places(db),
  ])
  const groups = Map.groupBy(rows, ({ topic_id }) => topic_id)
  return new Map([...groups].map(([id, its]) => [id, its.flatMap(({ tag_id }) => places.get(tag_id) ?? [])]))
}

/** What this member may do with a question that nobody else may. */
export async function mine(db: Db, member: Member, questionId: string): Promise<Output<typeof myQuestion>> {
  const thread = await findQuestion(db, member, questionId)
  const isAsker = thread.authorId === member.id && thread.status === 'published'
  const withdrawn = isAsker && thread.isWithdrawn ? await wordsOf(db, thread) : null
  const tags = (await tagsOf(db, member, [questionId])).get(questionId) ?? []
  if (!isAsker || thread.isWithdrawn) return { isAsker, mayAdopt: false, mayRaise: false, mayAdd: false, mayClose: false, withdrawn, tags }
  const [adoption, settings, postscripts, bounty] = await Promise.all([
    adoptionOf(db, questionId),
    setting.all(db),
    countPostscripts(db, questionId),
    bounties.viewOf(db, questionId),
  ])
  const isOpen = settings.siteState === 'open'
  return {
    isAsker,
    mayAdopt: isOpen && (!adoption || (mayChange(adoption) && bounty?.state !== 'paid')),
    mayRaise: isOpen && bounty?.state === 'open',
    mayAdd: setting.openOf(settings).questionEdits && posts.mayEdit(member, posts.openingOf(thread)) && postscripts < mostPostscripts,
    mayClose: isOpen && (thread.takesComments ? settings.allowQuestionClosing : thread.closedBy === member.id),
    withdrawn,
    tags,
  }
}

/** What a withdrawn question said. */
async function wordsOf(db: Db, { id, authorId }: posts.Thread): Promise<Segment[] | null> {
  const row = await db
    .selectFrom('topic_revision')
    .select('body')
    .where('topic_id', '=', id)
    .where('is_withheld', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [segments = null] = row ? await writing.renderAll(db, authorId, [row.body as Doc]) : []
  return segments
}
