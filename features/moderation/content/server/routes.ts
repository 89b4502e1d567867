import type { Db } from '#base/server/database/database.ts'
import { route, staff, type RequestContext, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import * as comments from '#comment/server/comment.ts'
import * as contract from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { labelPost } from '#content/label-contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { removePostscript, restorePostscript } from '#content/postscript-contract.ts'
import { adopt } from '#content/server/adoption.ts'
import * as atOnce from '#content/server/bulk-actions.ts'
import { applyAction } from '#content/server/actions.ts'
import { add, edit } from '#content/server/edit.ts'
import * as lists from '#content/server/lists.ts'
import * as move from '#content/server/move.ts'
import { removeTag } from '#content/server/remove-tag.ts'
import * as question from '#question/server/question.ts'
import { purge } from '#content/server/purge.ts'
import * as remarks from '#content/server/remarks.ts'
import { setWithheld } from '#content/server/versions.ts'
import * as view from '#content/server/view.ts'

const views = staff('content.view')
const edits = staff('content.edit')
const removes = staff('content.remove')
const purges = staff('content.purge', { proved: true })

export const routes = [
  route(topicsForStaff, views, ({ db, input }) => lists.topics(db, input)),
  route(commentsForStaff, views, ({ db, input }) => lists.comments(db, input)),
  route(repliesForStaff, views, ({ db, input }) => lists.replies(db, input)),
  route(contract.placesForStaff, views, ({ db }) => lists.places(db)),
  route(contract.topicForStaff, views, ({ db, viewer, input }) => view.topic(db, viewer, input.topicId)),
  route(contract.remarksForStaff, views, ({ db, input }) => remarks.list(db, input)),
  route(contract.movedForStaff, views, ({ db, viewer, input }) => comments.findMoved(db, viewer, input)),
  route(contract.remarkForStaff, views, ({ db, input }) => view.remark(db, input)),

  route(
    contract.editTopicAsStaff,
    edits,
    silent((db, by, from, { topicId, ...draft }) => edit(db, by, from, { kind: 'topic', id: topicId, ...draft })),
  ),
  route(contract.editRemarkAsStaff, edits, silent(edit)),
  route(
    contract.withholdVersion,
    edits,
    silent((db, by, from, wish) => setWithheld(db, by, from, wish, true)),
  ),
  route(
    contract.showVersion,
    edits,
    silent((db, by, from, wish) => setWithheld(db, by, from, wish, false)),
  ),
  route(contract.addRemarkAsStaff, edits, async ({ db, viewer, client, input }) => {
    const { id, floor } = await add(db, viewer, client, input)
    return { id, floor }
  }),

  route(
    labelPost,
    edits,
    silent((db, by, from, { kind, isLabelled, ...input }) =>
      applyAction(db, by, from, { name: `${kind}.${isLabelled ? 'labelAi' : 'unlabelAi'}`, ...input }),
    ),
  ),

  route(contract.pinTopic, edits, topicAction('topic.pin')),
  route(contract.featureTopic, edits, topicAction('topic.feature')),
  route(contract.unfeatureTopic, edits, topicAction('topic.unfeature')),
  route(contract.sinkTopic, edits, topicAction('topic.sink')),
  route(contract.raiseTopic, edits, topicAction('topic.raise')),
  route(contract.closeTopic, edits, topicAction('topic.close')),
  route(contract.reopenTopic, edits, topicAction('topic.open')),
  route(contract.askTopic, edits, topicAction('topic.ask')),
  route(contract.tellTopic, edits, topicAction('topic.tell')),
  route(contract.moveTopic, edits, topicAction('topic.move')),
  route(contract.removeTopicAsStaff, removes, topicAction('topic.remove')),
  route(contract.restoreTopic, removes, topicAction('topic.restore')),
  route(
    contract.purgeTopic,
    purges,
    silent((db, by, from, { topicId, reason }) => purge(db, by, from, { kind: 'topic', id: topicId, reason })),
    { longRunning: true },
  ),
  route(
    contract.removeRemarkAsStaff,
    removes,
    silent((db, by, from, { kind, ...input }) => applyAction(db, by, from, { name: `${kind}.remove`, ...input })),
  ),
  route(
    contract.restoreRemark,
    removes,
    silent((db, by, from, { kind, ...input }) => applyAction(db, by, from, { name: `${kind}.restore`, ...input })),
  ),
  route(removePostscript, removes, silent(question.removePostscript)),
  route(restorePostscript, removes, silent(question.restorePostscript)),
  route(contract.purgeRemark, purges, silent(purge)),
  route(
    contract.adoptAsStaff,
    staff('question.adopt'),
    ({ db, viewer, client, input }) => adopt(db, viewer, client, { ...input, isBest: true }),
    {
      requiresIdempotencyKey: true,
    },
  ),
  route(
    contract.unadoptAsStaff,
    staff('question.adopt'),
    ({ db, viewer, client, input }) => adopt(db, viewer, client, { ...input, isBest: false }),
    { requiresIdempotencyKey: true },
  ),

  route(splitTopic, edits, ({ db, viewer, client, input }) => move.split(db, viewer, client, input)),
  route(moveComments, edits, ({ db, viewer, client, input }) => move.move(db, viewer, client, input)),
  route(mergeTopics, edits, ({ db, viewer, client, input }) => move.merge(db, viewer, client, input)),

  route(contract.doAtOnce, views, ({ db, viewer, client, input }) => atOnce.begin(db, viewer, client, input)),
  route(
    contract.removeTag,
    staff('tag.manage', { proved: true }),
    ({ db, viewer, client, input }) => removeTag(db, viewer, client, input),
    {
      longRunning: true,
    },
  ),
]

type TopicAction = Parameters<typeof applyAction>[3]['name']

function topicAction(name: TopicAction) {
  return silent((db, by, from, { topicId, ...wish }: { topicId: string; reason: string; tagId?: string; pin?: number }) =>
    applyAction(db, by, from, { name, id: topicId, ...wish }),
  )
}

function silent<In>(action: (db: Db, by: Staff, client: ClientInfo, input: In) => Promise<void>) {
  return async ({ db, viewer, client, input }: RequestContext<In, Staff>): Promise<Record<string, never>> => {
    await action(db, viewer, client, input)
    return {}
  }
}
