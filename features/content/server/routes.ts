import type { Db } from '#base/server/database.ts'
import { on, staff, type Ask, type From, type Staff } from '#base/server/route.ts'
import * as comments from '#comment/server/comment.ts'
import * as contract from '#content/contract.ts'
import { labelPost } from '#content/label-contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { removePostscript, restorePostscript } from '#content/postscript-contract.ts'
import { adopt } from '#content/server/adoption.ts'
import * as atOnce from '#content/server/at-once.ts'
import { once } from '#content/server/deeds.ts'
import { add, edit } from '#content/server/edit.ts'
import * as lists from '#content/server/lists.ts'
import * as move from '#content/server/move.ts'
import { removeTag } from '#content/server/remove-tag.ts'
import * as question from '#question/server/question.ts'
import { purge } from '#content/server/purge.ts'
import * as remarks from '#content/server/remarks.ts'
import { keepFromMembers } from '#content/server/versions.ts'
import * as view from '#content/server/view.ts'

const views = staff('content.view')
const edits = staff('content.edit')
const removes = staff('content.remove')
const purges = staff('content.purge', { proved: true })

export const routes = [
  on(contract.topicsForStaff, views, ({ db, input }) => lists.topics(db, input)),
  on(contract.commentsForStaff, views, ({ db, input }) => lists.comments(db, input)),
  on(contract.repliesForStaff, views, ({ db, input }) => lists.replies(db, input)),
  on(contract.placesForStaff, views, ({ db }) => lists.places(db)),
  on(contract.topicForStaff, views, ({ db, viewer, input }) => view.topic(db, viewer, input.topicId)),
  on(contract.remarksForStaff, views, ({ db, input }) => remarks.list(db, input)),
  on(contract.movedForStaff, views, ({ db, viewer, input }) => comments.whereIs(db, viewer, input)),
  on(contract.remarkForStaff, views, ({ db, input }) => view.remark(db, input)),

  on(
    contract.editTopicAsStaff,
    edits,
    silent((db, by, from, { topicId, ...draft }) => edit(db, by, from, { kind: 'topic', id: topicId, ...draft })),
  ),
  on(
    contract.editCommentAsStaff,
    edits,
    silent((db, by, from, { commentId, ...draft }) => edit(db, by, from, { kind: 'comment', id: commentId, ...draft })),
  ),
  on(
    contract.editReplyAsStaff,
    edits,
    silent((db, by, from, { replyId, ...draft }) => edit(db, by, from, { kind: 'reply', id: replyId, ...draft })),
  ),
  on(
    contract.withholdVersion,
    edits,
    silent((db, by, from, wish) => keepFromMembers(db, by, from, wish, true)),
  ),
  on(
    contract.showVersion,
    edits,
    silent((db, by, from, wish) => keepFromMembers(db, by, from, wish, false)),
  ),
  on(contract.commentAsStaff, edits, async ({ db, viewer, from, input: { topicId: under, quotes: refersTo, body } }) => {
    const { id, floor } = await add(db, viewer, from, { kind: 'comment', under, refersTo, body })
    return { commentId: id, floor }
  }),
  on(contract.replyAsStaff, edits, async ({ db, viewer, from, input: { commentId: under, answers: refersTo, body } }) => {
    const { id } = await add(db, viewer, from, { kind: 'reply', under, refersTo, body })
    return { replyId: id }
  }),

  on(
    labelPost,
    edits,
    silent((db, by, from, { kind, isLabelled, ...input }) =>
      once(db, by, from, { name: `${kind}.${isLabelled ? 'labelAi' : 'unlabelAi'}`, ...input }),
    ),
  ),

  on(contract.pinTopic, edits, topicDeed('topic.pin')),
  on(contract.featureTopic, edits, topicDeed('topic.feature')),
  on(contract.unfeatureTopic, edits, topicDeed('topic.unfeature')),
  on(contract.sinkTopic, edits, topicDeed('topic.sink')),
  on(contract.raiseTopic, edits, topicDeed('topic.raise')),
  on(contract.closeTopic, edits, topicDeed('topic.close')),
  on(contract.reopenTopic, edits, topicDeed('topic.open')),
  on(contract.askTopic, edits, topicDeed('topic.ask')),
  on(contract.tellTopic, edits, topicDeed('topic.tell')),
  on(contract.moveTopic, edits, topicDeed('topic.move')),
  on(contract.removeTopicAsStaff, removes, topicDeed('topic.remove')),
  on(contract.restoreTopic, removes, topicDeed('topic.restore')),
  on(
    contract.purgeTopic,
    purges,
    silent((db, by, from, { topicId, reason }) => purge(db, by, from, { kind: 'topic', id: topicId, reason })),
    { longRunning: true },
  ),
  on(
    contract.removeRemark,
    removes,
    silent((db, by, from, { kind, ...input }) => once(db, by, from, { name: `${kind}.remove`, ...input })),
  ),
  on(
    contract.restoreRemark,
    removes,
    silent((db, by, from, { kind, ...input }) => once(db, by, from, { name: `${kind}.restore`, ...input })),
  ),
  on(removePostscript, removes, silent(question.removePostscript)),
  on(restorePostscript, removes, silent(question.restorePostscript)),
  on(contract.purgeRemark, purges, silent(purge)),
  on(contract.adoptAsStaff, staff('question.adopt'), ({ db, viewer, from, input }) => adopt(db, viewer, from, { ...input, isBest: true }), {
    demandsKey: true,
  }),
  on(
    contract.unadoptAsStaff,
    staff('question.adopt'),
    ({ db, viewer, from, input }) => adopt(db, viewer, from, { ...input, isBest: false }),
    { demandsKey: true },
  ),

  on(splitTopic, edits, ({ db, viewer, from, input }) => move.split(db, viewer, from, input)),
  on(moveComments, edits, ({ db, viewer, from, input }) => move.move(db, viewer, from, input)),
  on(mergeTopics, edits, ({ db, viewer, from, input }) => move.merge(db, viewer, from, input)),

  on(contract.doAtOnce, views, ({ db, viewer, from, input }) => atOnce.begin(db, viewer, from, input)),
  on(contract.removeTag, staff('tag.manage', { proved: true }), ({ db, viewer, from, input }) => removeTag(db, viewer, from, input), {
    longRunning: true,
  }),
]

type TopicDeed = Parameters<typeof once>[3]['name']

function topicDeed(name: TopicDeed) {
  return silent((db, by, from, { topicId, ...wish }: { topicId: string; reason: string; tagId?: string; pin?: number }) =>
    once(db, by, from, { name, id: topicId, ...wish }),
  )
}

function silent<In>(deed: (db: Db, by: Staff, from: From, input: In) => Promise<void>) {
  return async ({ db, viewer, from, input }: Ask<In, Staff>): Promise<Record<string, never>> => {
    await deed(db, viewer, from, input)
    return {}
  }
}
