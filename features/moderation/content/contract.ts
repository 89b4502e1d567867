import { z } from 'zod'
import { aiFilters } from '#ai-label/contract.ts'
import { plainString, typedString } from '#base/plain-text.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { listOutput, listInput, bulkSelection } from '#base/list.ts'
import { AnsweredGone, CommentsClosed, movedThread, QuoteGone, requireOwnShape } from '#comment/contract.ts'
import { CommentPost, Action, bulkActionNames, marks, Post, RemarkRow, State, TopicRow, Version } from '#content/views.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { HasTagsBelow, PlaceView, TagNotOpen } from '#tag/contract.ts'
import { title } from '#topic/contract.ts'
import { ThreadPartsView } from '#topic/parts-contract.ts'
import {
  commentDocument,
  DocumentView,
  paceRefusals,
  ReasonNeeded,
  titleRefusals,
  topicDocument,
  writingRefusals,
} from '#writing/contract.ts'
import { AskerOwes, BountyOver } from '#bounty/contract.ts'
import { RequestWaits, staffMoneyRefusals } from '#wallet/contract.ts'
import { isWaiting } from '#wallet/request-contract.ts'
import { kinds, remarkKinds, threadKinds } from '#kind/contract.ts'
import { AskersDay, OwnAnswer, PostscriptForStaff } from '#question/contract.ts'

/** The post was changed by another editor since it was loaded. */
export const ChangedSince = refusal('content.changedSince', { status: 409, field: 'version' })
export const NotDeleted = refusal('content.notDeleted')
/** One of the comments was moved or deleted. */
export const NotHereAnyMore = refusal('content.notHereAnyMore', { status: 409 })
export const NothingToOpenWith = refusal('content.nothingToOpenWith')
export const NotAnotherTopic = refusal('content.notAnotherTopic', { field: 'to' })
export const NotOnThePage = refusal('content.notOnThePage', { field: 'to' })
export const TooMuchToMerge = refusal('content.tooMuchToMerge')

const filters = {
  keyword: typedString.trim().max(90).optional(),
  tagId: id.optional(),
  /** A name, an account or an id. */
  author: typedString.trim().max(60).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  state: State.optional(),
  /** Only posts with the AI label, or only those without. */
  ai: z.enum(aiFilters).optional(),
  thread: z.enum(threadKinds).optional(),
  /** The targets of this batch, in their present state. */
  batchId: id.optional(),
}

export const topicsForStaff = read('/admin/topic/list', {
  summary: 'Topics of every state, but for those whose words are gone for good.',
  input: listInput(['published', 'reply', 'comments', 'views'], { ...filters, mark: z.enum(marks).optional() }),
  output: listOutput(TopicRow),
})

export const commentsForStaff = read('/admin/comment/list', {
  summary: 'Comments of every state, under any topic.',
  input: listInput(['published', 'replies'], { ...filters, topicId: id.optional() }),
  output: listOutput(RemarkRow),
})

export const repliesForStaff = read('/admin/reply/list', {
  summary: 'Replies of every state, to any comment.',
  input: listInput(['published'], { ...filters, topicId: id.optional(), commentId: id.optional() }),
  output: listOutput(RemarkRow),
})

export const placesForStaff = read('/admin/topic/tags', {
  summary: 'All tags by name, and whether topics may lie there.',
  input: nothing,
  output: z.object({ tags: z.array(PlaceView.extend({ takesTopics: z.boolean() })) }),
})

export const topicForStaff = read('/admin/topic/view', {
  summary: 'A topic with all that staff see of it: its earlier versions, and what staff did to it, newest first; fifty of each at most.',
  input: z.object({ topicId: id }),
  output: z.object({
    ...Post,
    title: z.string(),
    body: DocumentView,
    place: PlaceView,
    lastReplyAt: z.iso.datetime(),
    commentCount: z.number(),
    floors: z.number(),
    viewCount: z.number(),
    pin: z.number(),
    marks: z.array(z.enum(marks)),
    /** The further tags of a question, and its addenda. */
    tags: z.array(PlaceView),
    postscripts: z.array(PostscriptForStaff),
    /** The hidden content itself needs another call. */
    hiddenParts: z.object({ there: z.number(), takenOut: z.number() }),
    parts: ThreadPartsView,
    versions: z.array(Version),
    actions: z.array(Action),
  }),
})

export const remarksForStaff = read('/admin/topic/remarks', {
  summary: 'A page of the comments of a topic, deleted and pending ones too; by number, or the one that holds a comment or reply.',
  input: z.object({ topicId: id, page: page.optional(), commentId: id.optional(), replyId: id.optional() }),
  output: z.object({ comments: z.array(CommentPost), total: z.number(), page: z.number(), pages: z.number() }),
})

export const movedForStaff = read('/admin/topic/moved', {
  summary: 'Where a topic, a comment or a reply is now that is no longer where a link says.',
  input: z.object({ topicId: id, commentId: id.optional(), replyId: id.optional() }),
  output: movedThread.output,
})

export const remarkForStaff = read('/admin/remark/view', {
  summary: 'A comment or a reply as it was written, with its earlier versions.',
  input: z.object({ kind: z.enum(remarkKinds), id }),
  output: z.object({ ...Post, body: DocumentView, topicId: z.string(), versions: z.array(Version) }),
})

const reason = plainString.max(300).default('')
/** A reason that the author reads. */
const reasonForAuthor = plainString.min(1).max(300)
const version = z.number().int().min(1).max(2_000_000_000)
const withholds = z.boolean().default(false)
const clash = [ChangedSince, ...writingRefusals, ...titleRefusals]

export const editTopicAsStaff = write('/admin/topic/edit', {
  summary: 'Replaces title and body of a topic, and says so on the page.',
  input: z.object({ topicId: id, version, title, body: topicDocument, reason, withholds }),
  output: nothing,
  errors: clash,
})

const topicAction = { input: z.object({ topicId: id, reason }), output: nothing }

export const pinTopic = write('/admin/topic/pin', {
  summary: 'Puts a topic above the lists; the highest number is the first. Zero takes it down from there.',
  input: z.object({ topicId: id, pin: z.number().int().min(0).max(1_000_000), reason }),
  output: nothing,
})
export const featureTopic = write('/admin/topic/feature', { summary: 'Puts a topic among the featured ones.', ...topicAction })
export const unfeatureTopic = write('/admin/topic/unfeature', { summary: 'Takes a topic from among the featured ones.', ...topicAction })
export const sinkTopic = write('/admin/topic/sink', { summary: 'From now on nothing said here brings the topic up.', ...topicAction })
export const raiseTopic = write('/admin/topic/raise', { summary: 'Lets what is said bring the topic up again.', ...topicAction })
export const closeTopic = write('/admin/topic/close', { summary: 'Lets nobody but staff comment on a topic.', ...topicAction })
export const reopenTopic = write('/admin/topic/open', { summary: 'Lets members comment on a topic again.', ...topicAction })
export const askTopic = write('/admin/topic/ask', { summary: 'Turns a topic into a question: its comments are answers.', ...topicAction })
export const tellTopic = write('/admin/topic/tell', { summary: 'Turns a question into a topic: its answers are comments.', ...topicAction })
export const moveTopic = write('/admin/topic/move', {
  summary: 'Moves a topic to another tag that has none below it.',
  input: z.object({ topicId: id, tagId: id, reason }),
  output: nothing,
  errors: [TagNotOpen],
})
export const removeTopicAsStaff = write('/admin/topic/remove', {
  summary: 'Takes a topic off the page, with what is under it. Its author is told why.',
  input: z.object({ topicId: id, reason: reasonForAuthor }),
  output: nothing,
})
export const restoreTopic = write('/admin/topic/restore', {
  summary: 'Puts a removed topic back. Not for its author, where somebody else took it away.',
  ...topicAction,
  errors: [OwnCase],
})
export const purgeTopic = write('/admin/topic/purge', {
  summary: 'Erases a removed topic, all that was said under it, and their files. Nothing brings them back.',
  ...topicAction,
  errors: [NotDeleted],
})

const which = { kind: z.enum(remarkKinds), id }
const remarkAction = { input: z.object({ ...which, reason }), output: nothing }

export const addRemarkAsStaff = write('/admin/remark/add', {
  summary: 'Comments on a topic, on a closed one too, or replies to a comment, as the official member one speaks as.',
  input: z.object({ kind: z.enum(remarkKinds), under: id, refersTo: id.optional(), body: commentDocument }).superRefine(requireOwnShape),
  output: z.object({ id: z.string(), floor: z.number().nullable() }),
  errors: [FunctionClosed, CommentsClosed, QuoteGone, AnsweredGone, ...writingRefusals, ...paceRefusals],
})
export const editRemarkAsStaff = write('/admin/remark/edit', {
  summary: 'Replaces what a comment or a reply says, and says so on the page.',
  input: z.object({ ...which, version, body: commentDocument, reason, withholds }).superRefine(requireOwnShape),
  output: nothing,
  errors: clash,
})
export const removeRemarkAsStaff = write('/admin/remark/remove', {
  summary: 'Takes a comment or a reply off the page. Its author is told why.',
  input: z.object({ ...which, reason: reasonForAuthor }),
  output: nothing,
})
export const restoreRemark = write('/admin/remark/restore', {
  summary: 'Puts a removed comment or reply back. Not for its author, where somebody else took it away.',
  ...remarkAction,
  errors: [OwnCase],
})
/** The refusals of an action that also moves a bounty. */
const bountyRefusals = [AskerOwes, ReasonNeeded, RequestWaits, ...staffMoneyRefusals] as const
const ofAnswer = { input: z.object({ commentId: id, reason }), output: z.object({ isWaiting }) }
export const adoptAsStaff = write('/admin/question/adopt', {
  summary: 'Accepts another answer, once the asker may no longer. With a bounty above the limits it waits for another member of staff.',
  ...ofAnswer,
  errors: [AskersDay, OwnAnswer, OwnCase, BountyOver, ...bountyRefusals],
})
export const unadoptAsStaff = write('/admin/question/unadopt', {
  summary: 'Accepts an answer no more, once that day is over. Waits as accepting one does.',
  ...ofAnswer,
  errors: [AskersDay, OwnCase, ...bountyRefusals],
})
export const purgeRemark = write('/admin/remark/purge', {
  summary: 'Erases a removed comment or reply and its files. Nothing brings them back.',
  ...remarkAction,
  errors: [NotDeleted],
})

const ofVersion = { input: z.object({ kind: z.enum(kinds), versionId: id, reason }), output: nothing }

export const withholdVersion = write('/admin/version/withhold', {
  summary: 'Keeps an earlier version of a post from members, who see only that there was one.',
  ...ofVersion,
})
export const showVersion = write('/admin/version/show', { summary: 'Lets members read a version again that was withheld.', ...ofVersion })

export const doAtOnce = write('/admin/batch/do', {
  summary: 'Does one action to many things and says what failed, and why; beyond fifty after the answer. Can be undone for thirty days.',
  input: z.object({ action: z.enum(bulkActionNames), ...bulkSelection, tagId: id.optional(), reason }),
  output: bulkEndpoint.output,
  errors: [...bulkEndpoint.errors, ReasonNeeded],
})

export const removeTag = write('/admin/tag/remove', {
  summary: 'Removes a tag that has none below it. Its topics go to another one.',
  input: z.object({ tagId: id, to: id.optional(), reason }),
  output: z.object({ moved: z.number() }),
  errors: [HasTagsBelow, TagNotOpen, MoreThanOwn],
})
