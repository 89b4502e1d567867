import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { bulkEndpoint } from '#batch/contract.ts'
import { bulkSelection } from '#base/list.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { AnsweredGone, CommentsClosed, movedThread, QuoteGone, requireOwnShape } from '#comment/contract.ts'
import { CommentPost, Action, bulkActionNames, marks, Post, Version } from '#content/views.ts'
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
import { kinds, remarkKinds } from '#kind/contract.ts'
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

export const placesForStaff = read('/admin/topic/tags', {
  summary: 'All tags by name, and whether each can hold topics.',
  input: nothing,
  output: z.object({ tags: z.array(PlaceView.extend({ takesTopics: z.boolean() })) }),
})

export const topicForStaff = read('/admin/topic/view', {
  summary: 'Staff view of a topic, with its earlier versions and the log of staff actions, newest first; at most 50 of each.',
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
  summary: 'A page of the comments of a topic, deleted and pending ones included; by number, or by the comment or reply that it contains.',
  input: z.object({ topicId: id, page: page.optional(), commentId: id.optional(), replyId: id.optional() }),
  output: z.object({ comments: z.array(CommentPost), total: z.number(), page: z.number(), pages: z.number() }),
})

export const movedForStaff = read('/admin/topic/moved', {
  summary: 'Current location of a topic, a comment or a reply that was moved from its linked address.',
  input: z.object({ topicId: id, commentId: id.optional(), replyId: id.optional() }),
  output: movedThread.output,
})

export const remarkForStaff = read('/admin/remark/view', {
  summary: 'A comment or a reply in its editable form, with its earlier versions.',
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
  summary: 'Replaces the title and the body of a topic. The page shows that staff edited it.',
  input: z.object({ topicId: id, version, title, body: topicDocument, reason, withholds }),
  output: nothing,
  errors: clash,
})

const topicAction = { input: z.object({ topicId: id, reason }), output: nothing }

export const pinTopic = write('/admin/topic/pin', {
  summary: 'Pins a topic above the lists; the highest number comes first, and 0 unpins it.',
  input: z.object({ topicId: id, pin: z.number().int().min(0).max(1_000_000), reason }),
  output: nothing,
})
export const featureTopic = write('/admin/topic/feature', { summary: 'Features a topic.', ...topicAction })
export const unfeatureTopic = write('/admin/topic/unfeature', { summary: 'Removes a topic from the featured ones.', ...topicAction })
export const sinkTopic = write('/admin/topic/sink', { summary: 'Sinks a topic: new posts no longer bump it.', ...topicAction })
export const raiseTopic = write('/admin/topic/raise', { summary: 'Unsinks a topic: new posts bump it again.', ...topicAction })
export const closeTopic = write('/admin/topic/close', { summary: 'Closes a topic to comments, except for those by staff.', ...topicAction })
export const reopenTopic = write('/admin/topic/open', { summary: 'Reopens a topic to comments.', ...topicAction })
export const askTopic = write('/admin/topic/ask', {
  summary: 'Converts a topic to a question, and its comments to answers.',
  ...topicAction,
})
export const tellTopic = write('/admin/topic/tell', {
  summary: 'Converts a question to a topic, and its answers to comments.',
  ...topicAction,
})
export const moveTopic = write('/admin/topic/move', {
  summary: 'Moves a topic to another tag without subtags.',
  input: z.object({ topicId: id, tagId: id, reason }),
  output: nothing,
  errors: [TagNotOpen],
})
export const removeTopicAsStaff = write('/admin/topic/remove', {
  summary: 'Removes a topic with its comments and replies. The author is notified of the reason.',
  input: z.object({ topicId: id, reason: reasonForAuthor }),
  output: nothing,
})
export const restoreTopic = write('/admin/topic/restore', {
  summary: 'Restores a removed topic. Not available to its author if another account removed it.',
  ...topicAction,
  errors: [OwnCase],
})
export const purgeTopic = write('/admin/topic/purge', {
  summary: 'Erases a removed topic with its comments, replies and files permanently.',
  ...topicAction,
  errors: [NotDeleted],
})

const which = { kind: z.enum(remarkKinds), id }
const remarkAction = { input: z.object({ ...which, reason }), output: nothing }

export const addRemarkAsStaff = write('/admin/remark/add', {
  summary: 'Adds a comment to a topic, even a closed one, or a reply to a comment, as the official member of the staff account.',
  input: z.object({ kind: z.enum(remarkKinds), under: id, refersTo: id.optional(), body: commentDocument }).superRefine(requireOwnShape),
  output: z.object({ id: z.string(), floor: z.number().nullable() }),
  errors: [FunctionClosed, CommentsClosed, QuoteGone, AnsweredGone, ...writingRefusals, ...paceRefusals],
})
export const editRemarkAsStaff = write('/admin/remark/edit', {
  summary: 'Replaces the body of a comment or a reply. The page shows that staff edited it.',
  input: z.object({ ...which, version, body: commentDocument, reason, withholds }).superRefine(requireOwnShape),
  output: nothing,
  errors: clash,
})
export const removeRemarkAsStaff = write('/admin/remark/remove', {
  summary: 'Removes a comment or a reply. The author is notified of the reason.',
  input: z.object({ ...which, reason: reasonForAuthor }),
  output: nothing,
})
export const restoreRemark = write('/admin/remark/restore', {
  summary: 'Restores a removed comment or reply. Not available to its author if another account removed it.',
  ...remarkAction,
  errors: [OwnCase],
})
/** The refusals of an action that also moves a bounty. */
const bountyRefusals = [AskerOwes, ReasonNeeded, RequestWaits, ...staffMoneyRefusals] as const
const ofAnswer = { input: z.object({ commentId: id, reason }), output: z.object({ isWaiting }) }
export const adoptAsStaff = write('/admin/question/adopt', {
  summary:
    'Accepts a different answer once the asker’s day to choose is over. With a bounty above the configured limits it waits for approval.',
  ...ofAnswer,
  errors: [AskersDay, OwnAnswer, OwnCase, BountyOver, ...bountyRefusals],
})
export const unadoptAsStaff = write('/admin/question/unadopt', {
  summary:
    'Revokes the acceptance of an answer once the asker’s day to choose is over. Requires approval on the same terms as accepting one.',
  ...ofAnswer,
  errors: [AskersDay, OwnCase, ...bountyRefusals],
})
export const purgeRemark = write('/admin/remark/purge', {
  summary: 'Erases a removed comment or reply with its files permanently.',
  ...remarkAction,
  errors: [NotDeleted],
})

const ofVersion = { input: z.object({ kind: z.enum(kinds), versionId: id, reason }), output: nothing }

export const withholdVersion = write('/admin/version/withhold', {
  summary: 'Withholds an earlier version of a post from members, who see only that it existed.',
  ...ofVersion,
})
export const showVersion = write('/admin/version/show', { summary: 'Makes a withheld version visible to members again.', ...ofVersion })

export const doAtOnce = write('/admin/batch/do', {
  summary:
    'Applies one action to several posts and lists the failures. Batches over 50 continue in the background; can be undone for 30 days.',
  input: refuseUnused(z.object({ action: z.enum(bulkActionNames), ...bulkSelection, tagId: id.optional(), reason }), {
    tagId: ({ action }) => action === 'topic.move',
  }),
  output: bulkEndpoint.output,
  errors: [...bulkEndpoint.errors, ReasonNeeded],
})

export const removeTag = write('/admin/tag/remove', {
  summary: 'Removes a tag without subtags. Its topics move to another tag.',
  input: z.object({ tagId: id, to: id.optional(), reason }),
  output: z.object({ moved: z.number() }),
  errors: [HasTagsBelow, TagNotOpen, MoreThanOwn],
})
