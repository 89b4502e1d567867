import { anyone, atMost, members, route } from '#base/server/http/route.ts'
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

// Twenty a minute is enough for manual writing.
const writingLimits = atMost({ times: 20, seconds: 60 }, { times: 600, seconds: 86_400 })
const changeLimits = atMost({ times: 30, seconds: 60 })

// Markdown of a long post takes milliseconds of CPU time.
const copies = [
  { times: 30, seconds: 60, by: 'visitor' },
  { times: 60, seconds: 60, by: 'member' },
] as const

export const routes = [
  route(contract.listComments, anyone, ({ db, viewer, input }) => list.list(db, viewer, input), { cacheTags }),
  route(contract.movedThread, anyone, ({ db, viewer, input }) => moved.findMoved(db, viewer, input), { cacheTags }),
  route(contract.commentMarkdown, anyone, ({ db, viewer, input }) => markdown(db, viewer, input), { cacheTags, limits: copies }),
  route(reads.timeline, anyone, ({ db, viewer, input }) => timeline.list(db, viewer, input.topicId), { cacheTags }),
  route(reads.freshCounts, members, ({ db, viewer, input }) => reading.readingStates(db, viewer, input.topicIds)),
  route(reads.markRead, members, ({ db, viewer, input }) => reading.mark(db, viewer, input), {
    limits: [{ times: 120, seconds: 60, by: 'member' }],
  }),
  route(reads.markAllRead, members, ({ db, viewer, input }) => allRead.mark(db, viewer, input), {
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
  route(reads.undoAllRead, members, ({ db, viewer, input }) => allRead.undo(db, viewer, input), {
    limits: [{ times: 30, seconds: 60, by: 'member' }],
  }),
  route(contract.listReplies, anyone, ({ db, viewer, input }) => replies.list(db, viewer, input), { cacheTags }),
  route(contract.myThread, members, ({ db, viewer, input }) => mine(db, viewer, input)),
  route(
    contract.addComment,
    role.unlessBanned('comment'),
    async ({ db, viewer, input: { topicId: under, quotes: refersTo, body, aiGenerated, ...given }, client }) => {
      const { id, floor } = await comment.add(db, viewer, { kind: 'comment', under, refersTo, body, aiGenerated, envelope: given }, client)
      return { commentId: id, floor }
    },
    { limits: writingLimits, requiresIdempotencyKey: redEnvelope.isRequested },
  ),
  route(
    contract.addReply,
    role.unlessBanned('reply'),
    async ({ db, viewer, input: { commentId: under, answers: refersTo, body, aiGenerated }, client }) => {
      const { id, isPending } = await comment.add(db, viewer, { kind: 'reply', under, refersTo, body, aiGenerated }, client)
      return { replyId: id, isPending }
    },
    { limits: writingLimits },
  ),
  route(contract.remarkSource, members, async ({ db, viewer, input: { kind, id } }) => {
    const { body, isAnothers, aiLabel } = await posts.source(db, viewer, kind, id)
    return { body, isAnothers, aiLabel }
  }),
  route(
    contract.editRemark,
    members,
    async ({ db, viewer, input, client }) => {
      role.refuseBanned(viewer, [input.kind])
      return { isPending: await posts.edit(db, viewer, input, client) }
    },
    { limits: changeLimits },
  ),
  route(contract.removeRemark, members, ({ db, viewer, input, client }) => posts.remove(db, viewer, input, client), {
    limits: changeLimits,
  }),
  route(contract.remarkHistory, anyone, ({ db, viewer, input }) => history.list(db, viewer, input), { cacheTags }),
  route(contract.memberRemarks, anyone, ({ db, viewer, input }) => memberRemarks.list(db, viewer, input)),
]
