import { z } from 'zod'
import { AiLabelView, declared, LabelByStaff } from '#ai-label/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { remarkKinds, threadKinds, type RemarkKind } from '#kind/contract.ts'
import { commentFields, mineFields, replyFields } from '#post/parts-contract.ts'
import { envelopeFields, giveRefusals, withEnvelope } from '#red-envelope/contract.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'
import {
  commentDocument,
  DocumentView,
  moderatorEdit,
  editRefusals,
  NewcomerView,
  moderatorReason,
  paceRefusals,
  ReasonNeeded,
  replyDocument,
  SegmentView,
  writingRefusals,
} from '#writing/contract.ts'

/** The topic takes no comments and no replies. */
export const CommentsClosed = refusal('comment.closed', { field: 'body' })
export const QuoteGone = refusal('comment.quoteGone', { field: 'quotes' })
export const AnsweredGone = refusal('comment.answeredGone', { field: 'answers' })

const PersonView = AuthorView.pick({ id: true, name: true })

/** The current content of the quoted comment; empty if it was removed. */
const QuoteView = z.object({
  commentId: z.string(),
  /** Differs from the comment's own topic if one of the two was moved. */
  topicId: z.string(),
  /** Zero for a comment that became the opening of its topic. */
  floor: z.number(),
  author: PersonView.nullable(),
  text: z.string(),
  /** The kind of content in a quote without prose; `text` is then the text within it, if any. */
  only: z.enum(['picture', 'table', 'file', 'code']).nullable(),
  isDeleted: z.boolean(),
})

export const ReplyView = z.object({
  id: z.string(),
  author: AuthorView,
  segments: z.array(SegmentView),
  /** The answered reply. The author is null if it was removed. */
  answers: z.object({ replyId: z.string(), author: PersonView.nullable() }).nullable(),
  publishedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  isEditedByStaff: z.boolean(),
  ...replyFields,
})
export type ReplyView = z.infer<typeof ReplyView>

/** A removed comment keeps its floor and its replies, without author and content. */
export const CommentView = z.object({
  id: z.string(),
  floor: z.number(),
  isDeleted: z.boolean(),
  /** The new place, for viewers with access to it; possibly the opening of this topic. */
  movedTo: z.object({ topicId: z.string(), commentId: z.string().nullable(), title: z.string() }).nullable(),
  author: AuthorView.nullable(),
  segments: z.array(SegmentView),
  publishedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  isEditedByStaff: z.boolean(),
  quote: QuoteView.nullable(),
  ...commentFields,
  /** The first ones, oldest first. */
  replies: z.array(ReplyView),
  replyCount: z.number(),
})
export type CommentView = z.infer<typeof CommentView>

const Pages = { total: z.number(), page: z.number(), pages: z.number() }
const Versions = z.array(
  z.object({ segments: z.array(SegmentView), writtenAt: z.iso.datetime(), isWithheld: z.boolean(), aiLabel: AiLabelView }),
)

const remark = { kind: z.enum(remarkKinds), id }

/** Checks the body of a reply, which is shorter and plain. */
export function requireOwnShape({ kind, body }: { kind: RemarkKind; body: Doc }, context: z.RefinementCtx): void {
  const [fault] = (kind === 'reply' && replyDocument.safeParse(body).error?.issues) || []
  if (fault) context.addIssue({ ...fault, input: body, path: ['body'] } as z.core.$ZodRawIssue)
}

/** The kind of thread: comments under a question are answers. */
const thread = z.enum(threadKinds).default('topic')
const floor = z.number().int().min(1).max(2_000_000_000)

export const listComments = read('/comment/list', {
  summary: 'Comments on a topic in pages; by page number, or the page with a given comment, reply or floor.',
  input: z.object({
    topicId: id,
    page: page.optional(),
    order: z.enum(['asc', 'desc', 'likes']).default('asc'),
    onlyAuthor: z.boolean().default(false),
    commentId: id.optional(),
    replyId: id.optional(),
    floor: floor.optional(),
  }),
  /**
   * `from` and `to` are floors; with `onlyAuthor` the author's comments are counted instead, and by likes the ranks. `best` is the
   * accepted answer, returned with the first page if it is on another.
   */
  output: z.object({ comments: z.array(CommentView), best: CommentView.nullable(), from: z.number(), to: z.number(), ...Pages }),
  shared: true,
})

export const movedThread = read('/thread/moved', {
  summary: 'Current location of a topic, a comment, a reply or a floor that was moved from its linked address, if visible to the viewer.',
  input: z.object({ topicId: id, commentId: id.optional(), replyId: id.optional(), floor: floor.optional() }),
  output: z.object({ topicId: z.string(), kind: z.enum(threadKinds), commentId: z.string().nullable(), replyId: z.string().nullable() }),
  shared: true,
})

export const commentMarkdown = read('/comment/markdown', {
  summary: 'Body of a comment as Markdown, in the notation of a topic’s Markdown.',
  input: z.object({ topicId: id, commentId: id }),
  output: z.object({ markdown: z.string() }),
  shared: true,
})

export const listReplies = read('/comment/replies', {
  summary: 'Replies to a comment after a given one, oldest first.',
  input: z.object({ topicId: id, commentId: id, after: id.optional() }),
  output: z.object({ replies: z.array(ReplyView), hasMore: z.boolean() }),
  shared: true,
})

const May = z.object({ edit: z.array(z.string()), remove: z.array(z.string()) })

export const myThread = read('/comment/mine', {
  summary: 'Actions that the member may take on a topic and on the given comments with their replies, and their reading position.',
  input: z.object({ topicId: id, commentIds: z.array(id).max(100).default([]) }),
  output: z.object({
    can: z.object({ edit: z.boolean(), remove: z.boolean(), comment: z.boolean(), reply: z.boolean() }),
    comments: May,
    replies: May,
    /** The highest floor the member has read; null before the first visit. */
    readTo: z.number().nullable(),
    newcomer: NewcomerView,
    /** A post of the member here is pending or was rejected. */
    hasWaiting: z.boolean(),
    ...mineFields,
  }),
})

export const addComment = write('/comment/add', {
  summary: 'Adds a comment or an answer, optionally with a quote or a red envelope. It has a floor of its own and may be held for review.',
  input: withEnvelope(z.object({ topicId: id, body: commentDocument, quotes: id.optional(), ...envelopeFields, ...declared })),
  /** Null while the comment is pending. */
  output: z.object({ commentId: z.string(), floor: z.number().nullable() }),
  errors: [...giveRefusals, CommentsClosed, QuoteGone, ...writingRefusals, ...paceRefusals],
})

export const addReply = write('/comment/addReply', {
  summary: 'Adds a reply to a comment or an answer, optionally addressed to another reply there.',
  input: z.object({ commentId: id, answers: id.optional(), body: replyDocument, ...declared }),
  output: z.object({ replyId: z.string(), isPending: z.boolean() }),
  errors: [FunctionClosed, Banned, CommentsClosed, AnsweredGone, ...writingRefusals, ...paceRefusals],
})

export const remarkSource = read('/comment/source', {
  summary: 'A comment or a reply that the member may edit, in its editable form.',
  input: z.object(remark),
  output: z.object({ body: DocumentView, isAnothers: z.boolean(), aiLabel: AiLabelView }),
})

export const editRemark = write('/comment/edit', {
  summary:
    'Edits a comment or a reply; the earlier version is kept. Another member’s post needs a reason, of which its author is notified.',
  input: z.object({ ...remark, body: commentDocument, ...declared, ...moderatorEdit }).superRefine(requireOwnShape),
  output: z.object({ isPending: z.boolean() }),
  errors: [FunctionClosed, Banned, LabelByStaff, ...editRefusals],
})

export const removeRemark = write('/comment/remove', {
  summary: 'Deletes a comment, which keeps its floor and replies, or a reply. Another member’s post needs a reason, sent to its author.',
  input: z.object({ ...remark, ...moderatorReason }),
  output: nothing,
  errors: [ReasonNeeded],
})

export const remarkHistory = read('/comment/history', {
  summary: 'The last 50 versions of a comment or a reply, current one first.',
  input: z.object({ topicId: id, ...remark }),
  output: z.object({ versions: Versions }),
  shared: true,
})

export const memberRemarks = read('/user/control/commentList', {
  summary: 'Comments, answers or replies by the member, or by another member with public activity.',
  input: z.object({ kind: z.enum(remarkKinds), userId: id.optional(), page: page.default(1), thread }),
  output: z.object({
    remarks: z.array(
      CommentView.pick({ id: true, floor: true, publishedAt: true }).extend({
        topicId: z.string(),
        topicTitle: z.string(),
        commentId: z.string(),
        text: z.string(),
        isBest: z.boolean(),
      }),
    ),
    ...Pages,
    user: AuthorView,
  }),
  errors: [ActivityHidden],
})
