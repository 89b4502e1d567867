import { anyone, doneAtMost, members, on } from '#base/server/route.ts'
import * as contract from '#comment/contract.ts'
import * as comment from '#comment/server/comment.ts'
import * as history from '#comment/server/history.ts'
import * as list from '#comment/server/list.ts'
import { markdown } from '#comment/server/markdown.ts'
import * as memberRemarks from '#comment/server/member-remarks.ts'
import { mine } from '#comment/server/mine.ts'
import * as moved from '#comment/server/moved.ts'
import * as reading from '#comment/server/reading.ts'
import * as replies from '#comment/server/replies.ts'
import * as reply from '#comment/server/reply.ts'
import * as timeline from '#comment/server/timeline.ts'
import * as role from '#role/server/role.ts'

const madeOf = ({ topicId }: { topicId: string }) => [`topic:${topicId}`]

// Twenty a minute leaves nobody waiting who writes by hand.
const writingLimits = doneAtMost({ times: 20, seconds: 60 }, { times: 600, seconds: 86_400 })
const changeLimits = doneAtMost({ times: 30, seconds: 60 })

// Writing a long post as Markdown takes milliseconds.
const copies = [
  { times: 30, seconds: 60, by: 'visitor' },
  { times: 60, seconds: 60, by: 'member' },
] as const

export const routes = [
  on(contract.listComments, anyone, ({ db, viewer, input }) => list.list(db, viewer, input), { madeOf }),
  on(contract.movedThread, anyone, ({ db, viewer, input }) => moved.find(db, viewer, input), { madeOf }),
  on(contract.commentMarkdown, anyone, ({ db, viewer, input }) => markdown(db, viewer, input), { madeOf, limits: copies }),
  on(contract.timeline, anyone, ({ db, viewer, input }) => timeline.list(db, viewer, input.topicId), { madeOf }),
  on(contract.freshCounts, members, ({ db, viewer, input }) => reading.fresh(db, viewer, input.topicIds)),
  on(
    contract.markRead,
    members,
    async ({ db, viewer, input }) => {
      await reading.mark(db, viewer, input)
      return {}
    },
    { limits: [{ times: 120, seconds: 60, by: 'member' }] },
  ),
  on(contract.listReplies, anyone, ({ db, viewer, input }) => replies.list(db, viewer, input), { madeOf }),
  on(contract.myThread, members, ({ db, viewer, input }) => mine(db, viewer, input)),
  on(contract.addComment, role.free('comment'), ({ db, viewer, input, from }) => comment.add(db, viewer, input, from), {
    limits: writingLimits,
  }),
  on(contract.commentSource, members, ({ db, viewer, input }) => comment.source(db, viewer, input.commentId)),
  on(contract.editComment, role.free('comment'), ({ db, viewer, input, from }) => comment.edit(db, viewer, input, from), {
    limits: changeLimits,
  }),
  on(
    contract.removeComment,
    members,
    async ({ db, viewer, input, from }) => {
      await comment.remove(db, viewer, input, from)
      return {}
    },
    { limits: changeLimits },
  ),
  on(contract.commentHistory, anyone, ({ db, viewer, input }) => history.ofComment(db, viewer, input.topicId, input.commentId), { madeOf }),
  on(contract.addReply, role.free('reply'), ({ db, viewer, input, from }) => reply.add(db, viewer, input, from), { limits: writingLimits }),
  on(contract.replySource, members, ({ db, viewer, input }) => reply.source(db, viewer, input.replyId)),
  on(contract.editReply, role.free('reply'), ({ db, viewer, input, from }) => reply.edit(db, viewer, input, from), {
    limits: changeLimits,
  }),
  on(
    contract.removeReply,
    members,
    async ({ db, viewer, input, from }) => {
      await reply.remove(db, viewer, input, from)
      return {}
    },
    { limits: changeLimits },
  ),
  on(contract.replyHistory, anyone, ({ db, viewer, input }) => history.ofReply(db, viewer, input.topicId, input.replyId), { madeOf }),
  on(contract.memberComments, anyone, ({ db, viewer, input }) => memberRemarks.comments(db, viewer, input)),
  on(contract.memberReplies, anyone, ({ db, viewer, input }) => memberRemarks.replies(db, viewer, input)),
]
