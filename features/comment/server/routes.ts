import { anyone, doneAtMost, members, on } from '#base/server/route.ts'
import * as contract from '#comment/contract.ts'
import * as reads from '#comment/reading-contract.ts'
import * as allRead from '#comment/server/all-read.ts'
import * as comment from '#comment/server/comment.ts'
import * as history from '#comment/server/history.ts'
import * as list from '#comment/server/list.ts'
import { markdown } from '#comment/server/markdown.ts'
import * as memberRemarks from '#comment/server/member-remarks.ts'
import { mine } from '#comment/server/mine.ts'
import * as moved from '#comment/server/moved.ts'
import * as reading from '#comment/server/reading.ts'
import * as replies from '#comment/server/replies.ts'
import * as timeline from '#comment/server/timeline.ts'
import * as posts from '#post/server/post.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'

const cacheTags = ({ topicId }: { topicId: string }) => [`topic:${topicId}`]

// Twenty a minute leaves nobody waiting who writes by hand.
const writingLimits = doneAtMost({ times: 20, seconds: 60 }, { times: 600, seconds: 86_400 })
const changeLimits = doneAtMost({ times: 30, seconds: 60 })

// Writing a long post as Markdown takes milliseconds.
const copies = [
  { times: 30, seconds: 60, by: 'visitor' },
  { times: 60, seconds: 60, by: 'member' },
] as const

export const routes = [
  on(contract.listComments, anyone, ({ db, viewer, input }) => list.list(db, viewer, input), { cacheTags }),
  on(contract.movedThread, anyone, ({ db, viewer, input }) => moved.find(db, viewer, input), { cacheTags }),
  on(contract.commentMarkdown, anyone, ({ db, viewer, input }) => markdown(db, viewer, input), { cacheTags, limits: copies }),
  on(reads.timeline, anyone, ({ db, viewer, input }) => timeline.list(db, viewer, input.topicId), { cacheTags }),
  on(reads.freshCounts, members, ({ db, viewer, input }) => reading.fresh(db, viewer, input.topicIds)),
  on(
    reads.markRead,
    members,
    async ({ db, viewer, input }) => {
      await reading.mark(db, viewer, input)
      return {}
    },
    { limits: [{ times: 120, seconds: 60, by: 'member' }] },
  ),
  on(reads.markAllRead, members, ({ db, viewer, input }) => allRead.mark(db, viewer, input), {
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
  on(
    reads.undoAllRead,
    members,
    async ({ db, viewer, input }) => {
      await allRead.undo(db, viewer, input)
      return {}
    },
    { limits: [{ times: 30, seconds: 60, by: 'member' }] },
  ),
  on(contract.listReplies, anyone, ({ db, viewer, input }) => replies.list(db, viewer, input), { cacheTags }),
  on(contract.myThread, members, ({ db, viewer, input }) => mine(db, viewer, input)),
  on(
    contract.addComment,
    role.free('comment'),
    async ({ db, viewer, input: { topicId: under, quotes: refersTo, body, aiGenerated, ...given }, from }) => {
      const { id, floor } = await comment.add(db, viewer, { kind: 'comment', under, refersTo, body, aiGenerated, given }, from)
      return { commentId: id, floor }
    },
    { limits: writingLimits, demandsKey: redEnvelope.isGiven },
  ),
  on(contract.commentSource, members, async ({ db, viewer, input: { commentId } }) => {
    const { body, isAnothers, aiLabel } = await posts.source(db, viewer, 'comment', commentId)
    return { commentId, body, isAnothers, aiLabel }
  }),
  on(
    contract.editComment,
    role.free('comment'),
    async ({ db, viewer, input: { commentId, ...draft }, from }) => {
      return { commentId, isPending: await posts.edit(db, viewer, { ...draft, kind: 'comment', id: commentId }, from) }
    },
    { limits: changeLimits },
  ),
  on(
    contract.removeComment,
    members,
    async ({ db, viewer, input: { commentId, reason }, from }) => {
      await posts.remove(db, viewer, { kind: 'comment', id: commentId, reason }, from)
      return {}
    },
    { limits: changeLimits },
  ),
  on(contract.commentHistory, anyone, ({ db, viewer, input }) => history.list(db, viewer, input.topicId, 'comment', input.commentId), {
    cacheTags,
  }),
  on(
    contract.addReply,
    role.free('reply'),
    async ({ db, viewer, input: { commentId: under, answers: refersTo, body, aiGenerated }, from }) => {
      const { id, isPending } = await comment.add(db, viewer, { kind: 'reply', under, refersTo, body, aiGenerated }, from)
      return { replyId: id, isPending }
    },
    { limits: writingLimits },
  ),
  on(contract.replySource, members, async ({ db, viewer, input: { replyId } }) => {
    const { body, isAnothers, aiLabel } = await posts.source(db, viewer, 'reply', replyId)
    return { replyId, body, isAnothers, aiLabel }
  }),
  on(
    contract.editReply,
    role.free('reply'),
    async ({ db, viewer, input: { replyId, ...draft }, from }) => {
      return { replyId, isPending: await posts.edit(db, viewer, { ...draft, kind: 'reply', id: replyId }, from) }
    },
    { limits: changeLimits },
  ),
  on(
    contract.removeReply,
    members,
    async ({ db, viewer, input: { replyId, reason }, from }) => {
      await posts.remove(db, viewer, { kind: 'reply', id: replyId, reason }, from)
      return {}
    },
    { limits: changeLimits },
  ),
  on(contract.replyHistory, anyone, ({ db, viewer, input }) => history.list(db, viewer, input.topicId, 'reply', input.replyId), {
    cacheTags,
  }),
  on(contract.memberComments, anyone, ({ db, viewer, input }) => memberRemarks.comments(db, viewer, input)),
  on(contract.memberReplies, anyone, ({ db, viewer, input }) => memberRemarks.replies(db, viewer, input)),
]
