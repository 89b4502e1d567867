import { anyone, atMost, members, route } from '#base/server/http/route.ts'
import * as posts from '#post/server/post.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as contract from '#question/contract.ts'
import { adopt } from '#question/server/adopt.ts'
import { ask, edit } from '#question/server/ask.ts'
import { close } from '#question/server/close.ts'
import { list } from '#question/server/list.ts'
import { lockOwn } from '#question/server/own.ts'
import * as postscript from '#question/server/postscript.ts'
import { mine, show } from '#question/server/show.ts'
import { similar } from '#question/server/similar.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'

const changes = atMost({ times: 20, seconds: 60 })

export const routes = [
  route(contract.listQuestions, anyone, ({ db, viewer, input }) => list(db, viewer, input), {
    // Questions are listed in further tags, too.
    cacheTags: () => [tag.listTag(undefined), tag.activityTag(undefined), 'tags'],
  }),
  route(contract.question, anyone, ({ db, viewer, input }) => show(db, viewer, input.questionId), {
    cacheTags: ({ questionId }) => [`topic:${questionId}`, 'tags'],
  }),
  route(contract.myQuestion, members, ({ db, viewer, input }) => mine(db, viewer, input.questionId)),
  route(contract.similarQuestions, members, async ({ db, viewer, input }) => ({ questions: await similar(db, viewer, input.title) }), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  route(contract.askQuestion, role.unlessBanned('topic'), ({ db, viewer, input, client }) => ask(db, viewer, input, client), {
    requiresIdempotencyKey: (input, db) =>
      bounty.isOffered(input) || redEnvelope.isRequested(input) || topics.partsRequireKey(db, input.parts),
    limits: atMost({ times: 6, seconds: 60 }, { times: 100, seconds: 86_400 }),
  }),
  route(contract.editQuestion, role.unlessBanned('topic'), ({ db, viewer, input, client }) => edit(db, viewer, input, client), {
    limits: atMost({ times: 10, seconds: 60 }),
  }),
  route(
    contract.addPostscript,
    role.unlessBanned('topic'),
    async ({ db, viewer, input, client }) => ({ number: await postscript.add(db, viewer, input.questionId, input.body, client) }),
    { limits: atMost({ times: 6, seconds: 60 }) },
  ),
  route(
    contract.adoptAnswer,
    role.unlessBanned('topic'),
    ({ db, viewer, input: { questionId, commentId = null, split, withBounty }, prepared: hasEnded }) =>
      adopt(db, viewer, questionId, commentId, { split, isExpected: withBounty || hasEnded }),
    {
      requiresIdempotencyKey: true,
      limits: changes,
      prepare: bounty.endIfOver,
    },
  ),
  route(
    contract.restoreQuestion,
    role.unlessBanned('topic'),
    async ({ db, viewer, input }) => posts.putBackWithdrawn(db, viewer, await lockOwn(db, viewer, input.questionId, { isWithdrawn: true })),
    { limits: changes },
  ),
  route(
    contract.closeQuestion,
    role.unlessBanned('topic'),
    ({ db, viewer, input }) => close(db, viewer, input.questionId, input.isClosed),
    { limits: changes },
  ),
]
