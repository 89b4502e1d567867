import { anyone, doneAtMost, members, on } from '#base/server/route.ts'
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

const changes = doneAtMost({ times: 20, seconds: 60 })

export const routes = [
  on(contract.listQuestions, anyone, ({ db, viewer, input }) => list(db, viewer, input), {
    // A question shows under tags beside the one it lies in.
    cacheTags: () => ['index', 'tags'],
  }),
  on(contract.question, anyone, ({ db, viewer, input }) => show(db, viewer, input.questionId), {
    cacheTags: ({ questionId }) => [`topic:${questionId}`, 'tags'],
  }),
  on(contract.myQuestion, members, ({ db, viewer, input }) => mine(db, viewer, input.questionId)),
  on(contract.similarQuestions, members, async ({ db, viewer, input }) => ({ questions: await similar(db, viewer, input.title) }), {
    limits: [{ times: 60, seconds: 60, by: 'member' }],
  }),
  on(contract.askQuestion, role.free('topic'), ({ db, viewer, input, from }) => ask(db, viewer, input, from), {
    demandsKey: (input) => bounty.isOffered(input) || redEnvelope.isGiven(input),
    limits: doneAtMost({ times: 6, seconds: 60 }, { times: 100, seconds: 86_400 }),
  }),
  on(contract.editQuestion, role.free('topic'), ({ db, viewer, input, from }) => edit(db, viewer, input, from), {
    limits: doneAtMost({ times: 10, seconds: 60 }),
  }),
  on(
    contract.addPostscript,
    role.free('topic'),
    async ({ db, viewer, input, from }) => ({ number: await postscript.add(db, viewer, input.questionId, input.body, from) }),
    { limits: doneAtMost({ times: 6, seconds: 60 }) },
  ),
  on(
    contract.adoptAnswer,
    role.free('topic'),
    async ({ db, viewer, input: { questionId, commentId = null, split, withBounty }, prepared: hasEnded }) => {
      await adopt(db, viewer, questionId, commentId, { split, isExpected: withBounty || hasEnded })
      return {}
    },
    {
      demandsKey: true,
      limits: changes,
      prepare: bounty.endOver,
    },
  ),
  on(
    contract.restoreQuestion,
    role.free('topic'),
    async ({ db, viewer, input }) => {
      await posts.unwithdraw(db, await lockOwn(db, viewer, input.questionId, { isWithdrawn: true }))
      return {}
    },
    { limits: changes },
  ),
  on(
    contract.closeQuestion,
    role.free('topic'),
    async ({ db, viewer, input }) => {
      await close(db, viewer, input.questionId, input.isClosed)
      return {}
    },
    { limits: changes },
  ),
]
