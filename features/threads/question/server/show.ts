import type { Output } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { Missing } from '#base/contract.ts'
import * as bounties from '#bounty/server/bounty.ts'
import * as posts from '#post/server/post.ts'
import { maxPostscripts, type myQuestion, type question } from '#question/contract.ts'
import { adoptionOf, mayChangeAdoption } from '#question/server/adopt.ts'
import { findQuestion } from '#question/server/own.ts'
import { countPostscripts } from '#question/server/postscript.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

type QuestionView = Output<typeof question>

/** The public part of a question beside its topic, the same for all who may see it. */
export async function show(db: Db, viewer: Viewer, questionId: string): Promise<QuestionView> {
  const { questionState: state } = await posts.findThread(db, viewer, questionId)
  if (!state) throw Missing()
  const [adoption, tags, bounty] = await Promise.all([
    adoptionOf(db, questionId),
    topics.tagsOf(db, viewer, [questionId]),
    bounties.viewOf(db, questionId),
  ])
  return { state, tags: tags.get(questionId) ?? [], bestId: adoption?.comment_id ?? null, bounty }
}

/** The actions on a question that only this member has. */
export async function mine(db: Db, member: Member, questionId: string): Promise<Output<typeof myQuestion>> {
  const thread = await findQuestion(db, member, questionId)
  const isAsker = thread.authorId === member.id && thread.status === 'published'
  const withdrawn = isAsker && thread.isWithdrawn ? await formerContent(db, thread) : null
  const tags = (await topics.tagsOf(db, member, [questionId])).get(questionId) ?? []
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
    mayAdopt: isOpen && (!adoption || (mayChangeAdoption(adoption) && bounty?.state !== 'paid')),
    mayRaise: isOpen && bounty?.state === 'open',
    mayAdd: setting.openFunctions(settings).questionEdits && posts.mayEdit(member, posts.openingOf(thread)) && postscripts < maxPostscripts,
    mayClose: isOpen && (thread.takesComments ? settings.allowQuestionClosing : thread.closedBy === member.id),
    withdrawn,
    tags,
  }
}

/** The former content of a withdrawn question. */
async function formerContent(db: Db, { id, authorId }: posts.Thread): Promise<Segment[] | null> {
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
