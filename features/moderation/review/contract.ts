import { z } from 'zod'
import { BatchView } from '#batch/contract.ts'
import { plainString, typedString } from '#base/plain-text.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'
import { NameView } from '#role/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { PostscriptForStaff } from '#question/contract.ts'
import { HistoryView, Present, RemarkView } from '#review/views.ts'
import { PlaceView } from '#tag/contract.ts'
import { title } from '#topic/contract.ts'
import { ThreadPartsView } from '#topic/parts-contract.ts'
import { AuthorView } from '#user/contract.ts'
import { DocumentView, SegmentView, titleRefusals, topicDocument, writingRefusals } from '#writing/contract.ts'
import { kinds, postNames, threadKinds } from '#kind/contract.ts'

/** Another member of staff has claimed it. */
export const ClaimedByOther = refusal('review.claimed')
/** Its author or another member of staff edited it after it was read. */
export const WrittenAnew = refusal('review.writtenAnew', { field: 'version' })
export const SettledAlready = refusal('review.settled')
export const ReasonNeeded = refusal('review.reasonNeeded', { field: 'reasonZh' })
/** A published post is not removed from the queue: its edit is rejected. */
export const IsOnThePage = refusal('review.isOnThePage')

export const outcomes = ['approved', 'rejected'] as const
export const claimMinutes = 10

const WaitingView = z.object({
  id: z.string(),
  /** Incremented by edits and decisions; sent back with a decision. */
  version: z.number(),
  kind: z.enum(kinds),
  thread: z.enum(threadKinds),
  postId: z.string(),
  topicId: z.string(),
  /** The current title of the topic; of a pending topic, its own. */
  title: z.string(),
  /** The beginning of the text. */
  summary: z.string(),
  /** The post is published, and this is a new version of it. */
  isEdit: z.boolean(),
  author: AuthorView,
  place: PlaceView,
  why: z.enum(['everybody', 'members', 'words']),
  words: z.array(z.string()),
  askedAt: z.iso.datetime(),
  /** The member of staff who claimed it. */
  claimedBy: z.object({ account: z.string(), isMe: z.boolean(), until: z.iso.datetime() }).nullable(),
  /** False for the author. */
  mayDecide: z.boolean(),
})
export type WaitingView = z.infer<typeof WaitingView>

/** A name, an account or an id. */
const author = typedString.trim().max(60).optional()

export const reviewQueue = read('/admin/review/list', {
  summary: 'Pending posts in the review queue, oldest first.',
  input: listInput(['asked'], {
    kind: z.enum(postNames).optional(),
    tagId: id.optional(),
    author,
    claimed: z.enum(['nobody', 'me', 'others']).optional(),
  }).extend({ order: z.enum(['asc', 'desc']).default('asc') }),
  output: listOutput(WaitingView),
})

export const reviewTags = read('/admin/review/tags', {
  summary: 'Tags with pending posts, and their counts.',
  input: nothing,
  output: z.object({ tags: z.array(z.object({ place: PlaceView, count: z.number() })) }),
})

export const openReview = read('/admin/review/open', {
  summary: 'A pending post with its context and the review history of its author.',
  input: z.object({ reviewId: id }),
  output: WaitingView.extend({
    /** The pending title of a topic. */
    newTitle: z.string().nullable(),
    /** Pending secondary tags of a question, and its existing addenda. */
    tags: z.array(PlaceView),
    postscripts: z.array(PostscriptForStaff),
    /** The parts of a topic. */
    parts: ThreadPartsView,
    segments: z.array(SegmentView),
    body: DocumentView,
    /** The sensitive words in the text now, as they are written there, with their lists. */
    found: z.array(z.object({ word: z.string(), as: z.string(), list: z.string() })),
    /** The published version, for a pending edit. */
    present: Present.extend({ tags: z.array(PlaceView) }).nullable(),
    /** The author's version, where somebody else edited it, and the editor. */
    own: Present.nullable(),
    editedBy: AuthorView.nullable(),
    /** The context: the beginning of the topic, then the comments or replies right before it. */
    topicText: z.string().nullable(),
    before: z.array(RemarkView),
    history: HistoryView,
    /** The stock reasons for a rejection. */
    rejectReasons: z.array(NameView),
  }),
})

export const claimReview = write('/admin/review/claim', {
  summary: 'Claims a pending post for ten minutes.',
  input: z.object({ reviewId: id }),
  output: z.object({ until: z.iso.datetime() }),
  errors: [OwnCase, ClaimedByOther, SettledAlready],
})

export const unclaimReview = write('/admin/review/unclaim', {
  summary: 'Releases the claim on a pending post.',
  input: z.object({ reviewId: id }),
  output: nothing,
})

const decided = { reviewId: id, version: z.number().int().min(1) }
const decisionRefusals = [OwnCase, ClaimedByOther, WrittenAnew, SettledAlready]

export const approveReview = write('/admin/review/approve', {
  summary: 'Approves a pending post and publishes it, or applies a pending edit to the published post.',
  input: z.object(decided),
  output: nothing,
  errors: [...decisionRefusals, ...writingRefusals],
})

const reason = plainString.max(500).default('')

export const rejectReview = write('/admin/review/reject', {
  summary: 'Rejects a pending post and sends its author the reason, in at least one language. The author can edit and resubmit it.',
  input: z.object({ ...decided, reasonZh: reason, reasonEn: reason }),
  output: nothing,
  errors: [...decisionRefusals, ReasonNeeded],
})

export const maxPerBatch = 100

export const decideReviews = write('/admin/review/decide', {
  summary: 'Approves several pending posts, or rejects them with one reason, as a batch that can be undone. Skipped posts are listed.',
  input: z.object({
    outcome: z.enum(['approve', 'reject']),
    reviews: z.array(z.object(decided)).min(1).max(maxPerBatch),
    reasonZh: reason,
    reasonEn: reason,
  }),
  output: z.object({
    done: z.number(),
    left: z.array(z.object({ reviewId: z.string(), why: z.string() })),
    /** The batch to undo; null where nothing was done. */
    batch: BatchView.nullable(),
  }),
  errors: [ReasonNeeded],
})

export const editReview = write('/admin/review/edit', {
  summary: 'Edits a pending post, which stays pending. Also requires the right to edit; the author’s version is kept.',
  input: z.object({ ...decided, title: title.optional(), body: topicDocument }),
  output: z.object({ version: z.number() }),
  errors: [...decisionRefusals, ...titleRefusals, ...writingRefusals],
})

export const removeReview = write('/admin/review/remove', {
  summary: 'Removes a post that was never published.',
  input: z.object({ ...decided, reason: plainString.max(500).default('') }),
  output: nothing,
  errors: [...decisionRefusals, IsOnThePage],
})

/** It was answered, or changed since the decision. */
export const CannotUndo = refusal('review.cannotUndo')

const outcome = field.choice(outcomes)

export const decidedReviews = staffList('/admin/review/decided', {
  summary: 'Decided reviews, newest first.',
  words: 'reviewAdmin',
  columns: {
    at: field.labelled('when', field.time),
    /** The account that decided. */
    by: field.text,
    outcome,
    post: field.composed,
    author: field.labelled('writer', { ...field.person, row: AuthorView }),
    reason: field.other(NameView.nullable()),
    undo: field.composed,
  },
  values: {
    kind: z.enum(kinds),
    thread: z.enum(threadKinds),
    postId: z.string(),
    topicId: z.string(),
    title: z.string(),
    summary: z.string(),
    isEdit: z.boolean(),
    /** The post is removed. */ isGone: z.boolean(),
    canUndo: z.boolean(),
  },
  filters: {
    kind: field.choice(postNames),
    outcome,
    by: field.choice(['me']),
    author: field.labelled('writer', { ...field.person, filter: author }),
    /** Only reviews of this batch. */
    batchId: field.typed(id.optional()),
    ...field.times,
  },
  sorts: { decided: 'at' },
})
export type DecidedView = z.output<typeof decidedReviews.row>

export const undoReview = write('/admin/review/undo', {
  summary: 'Returns a decided post to the review queue. A post published by the decision is withdrawn unless it was answered.',
  input: z.object({ reviewId: id }),
  output: nothing,
  errors: [OwnCase, CannotUndo],
})

const OwnWaitingView = z.object({
  kind: z.enum(kinds),
  thread: z.enum(threadKinds),
  postId: z.string(),
  topicId: z.string(),
  topicTitle: z.string(),
  /** The parent comment of a reply. */
  commentId: z.string().nullable(),
  /** The floor of the comment, or of the parent comment of a reply; null before a floor is assigned. */
  floor: z.number().nullable(),
  isEdit: z.boolean(),
  /** Edited by staff. */
  isEditedByStaff: z.boolean(),
  title: z.string().nullable(),
  segments: z.array(SegmentView),
  askedAt: z.iso.datetime(),
  /** The reason of the rejection; null while it waits. */
  rejected: NameView.nullable(),
})
export type OwnWaitingView = z.infer<typeof OwnWaitingView>

export const ownWaiting = read('/user/control/waitingList', {
  summary: 'The member’s pending or rejected posts and edits, newest first.',
  input: z.object({ topicId: id.optional(), kind: z.enum(kinds).optional() }),
  output: z.object({ posts: z.array(OwnWaitingView) }),
})

export const withdrawEdit = write('/user/control/waiting/withdraw', {
  summary: 'Withdraws a pending or rejected edit by the member. The published version stays.',
  input: z.object({ kind: z.enum(kinds), postId: id }),
  output: nothing,
})
