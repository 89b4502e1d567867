import { z } from 'zod'
import { AiLabelView, declared, LabelByStaff } from '#ai-label/contract.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { locks } from '#base/rich-text/document.ts'
import { plainLine } from '#base/plain-text.ts'
import { questionStates, threadKinds, threadLanguages } from '#kind/contract.ts'
import { withEnvelope } from '#red-envelope/contract.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { furtherTags, movedTo, PlaceView, tagRefusals } from '#tag/contract.ts'
import { partFields, partRefusals, ThreadPartsView } from '#topic/parts-contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'
import {
  DocumentView,
  moderatorEdit,
  editRefusals,
  NewcomerView,
  moderatorReason,
  paceRefusals,
  PictureView,
  ReasonNeeded,
  SegmentView,
  titleRefusals,
  topicDocument,
  WaitingView,
  writingRefusals,
} from '#writing/contract.ts'

/** Others have written in the thread, and the two tags have different readers. */
export const MoveIsForStaff = refusal('topic.moveIsForStaff', { field: 'tagId' })

export const TopicLinkView = z.object({
  id: z.string(),
  kind: z.enum(threadKinds),
  title: z.string(),
  viewCount: z.number(),
  commentCount: z.number(),
})
export type TopicLinkView = z.infer<typeof TopicLinkView>

/** A topic as lists show it. */
export const TopicCardView = z.object({
  id: z.string(),
  kind: z.enum(threadKinds),
  /** Null for a topic that is not a question. */
  questionState: z.enum(questionStates).nullable(),
  title: z.string(),
  summary: z.string(),
  pictures: z.array(PictureView),
  /** The kinds of locks on its hidden parts. */
  locks: z.array(z.enum(locks)),
  author: AuthorView,
  place: PlaceView,
  publishedAt: z.iso.datetime(),
  /** Null until the first comment. */
  lastReplyAt: z.iso.datetime().nullable(),
  lastReplyBy: AuthorView.nullable(),
  viewCount: z.number(),
  commentCount: z.number(),
  isPinned: z.boolean(),
  isFeatured: z.boolean(),
  /** A question that takes no answers. */ isClosed: z.boolean(),
  isPending: z.boolean(),
  /** A red envelope in it is open. */ hasEnvelope: z.boolean(),
  aiLabel: AiLabelView,
})
export type TopicCardView = z.infer<typeof TopicCardView>

/** The first tag decides visibility. */
export const TopicInListView = TopicCardView.extend({ tags: z.array(PlaceView) })
export type TopicInListView = z.infer<typeof TopicInListView>

/** A member's reading state of a thread in a list. */
export const ReadingView = z.object({
  topicId: z.string(),
  /** The highest floor the member has seen; 0 for none. */
  readTo: z.number(),
  /** The number of comments by others since the last visit that the member has not seen. */
  fresh: z.number(),
  /** The member never visited the thread and did not mark it as read. */
  isUnread: z.boolean(),
})
export type ReadingView = z.infer<typeof ReadingView>

/** An addendum to the opening of a question; it stays when the question becomes a topic. */
export const PostscriptView = z.object({ number: z.number(), segments: z.array(SegmentView), writtenAt: z.iso.datetime() })

export const ThreadView = z.object({
  id: z.string(),
  kind: z.enum(threadKinds),
  title: z.string(),
  segments: z.array(SegmentView),
  postscripts: z.array(PostscriptView),
  summary: z.string(),
  /** The first few, for the link preview on other sites. */
  pictures: z.array(PictureView),
  author: AuthorView,
  place: PlaceView,
  /** All its tags, the primary one first. */
  tags: z.array(PlaceView),
  publishedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  isEditedByStaff: z.boolean(),
  viewCount: z.number(),
  commentCount: z.number(),
  /** The number of replies among them. */
  replyCount: z.number(),
  likeCount: z.number(),
  favouriteCount: z.number(),
  /** The number of comments ever made, which is the highest floor. */
  floors: z.number(),
  authorFloors: z.number(),
  isPinned: z.boolean(),
  isFeatured: z.boolean(),
  /** A question that takes no answers. */ isClosed: z.boolean(),
  /** True if neither the topic nor the site is closed to comments. */
  takesComments: z.boolean(),
  parts: ThreadPartsView,
  aiLabel: AiLabelView,
})

const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const listTopics = read('/topic/list', {
  summary: 'Topics in pages, all or of a tag with its subtags, further tags included. Pinned topics precede the first page.',
  input: z.object({
    tagId: id.optional(),
    sort: z.enum(['reply', 'new', 'hot']).default('reply'),
    page: page.default(1),
    featured: z.boolean().default(false),
    /** Only topics in this language. */
    language: z.enum(threadLanguages).optional(),
  }),
  output: z.object({ topics: z.array(TopicInListView), ...Pages, place: PlaceView.nullable() }),
  shared: true,
})

/** The specification's name; its client uses it in addresses. */
export const thread = read('/thread', {
  summary: 'A topic, the same for every viewer with access to its tag.',
  input: z.object({ topicId: id }),
  output: ThreadView,
  shared: true,
})

export const topicMarkdown = read('/topic/markdown', {
  summary: 'Body of a topic as Markdown. Pictures, files and mentions use the notation of the editor.',
  input: z.object({ topicId: id }),
  output: z.object({ markdown: z.string() }),
  shared: true,
})

export const seenTopic = read('/topic/seen', {
  summary: 'Counts a view of a topic, at most one per person in half an hour. The count is updated with a short delay.',
  input: z.object({ topicId: id }),
  output: nothing,
})

/** One visible line. The database allows a little more than the form. */
export const title = plainLine.min(1).max(90)

export const publishTopic = write('/topic/publish', {
  summary:
    'Publishes a topic in a tag without subtags, which decides its visibility, and optional further tags; it may be held for review.',
  input: withEnvelope(z.object({ tagId: id, tagIds: furtherTags.default([]), ...partFields, ...declared, title, body: topicDocument })),
  output: z.object({ topicId: z.string(), isPending: z.boolean() }),
  errors: [...partRefusals, FunctionClosed, Banned, ...tagRefusals, ...titleRefusals, ...writingRefusals, ...paceRefusals],
})

export const topicForm = read('/topic/form', {
  summary: 'Data for the form of a new topic or question.',
  input: nothing,
  output: z.object({ newcomer: NewcomerView, /** The most tags a thread may have. */ mostTags: z.number() }),
})

export const editableTopic = read('/user/editTopic', {
  summary: 'A topic that the member may edit, in its editable form.',
  input: z.object({ topicId: id }),
  output: z.object({
    topicId: z.string(),
    kind: z.enum(threadKinds),
    title: z.string(),
    body: DocumentView,
    place: PlaceView,
    /** The label of the pending edit, where there is one. */ aiLabel: AiLabelView,
    /** Its further tags. With a pending edit, these and the primary tag are those of the edit. */
    tagIds: z.array(z.string()),
    mostTags: z.number(),
    newcomer: NewcomerView,
    /** The viewer is not the author, so an edit needs a reason. */
    isAnothers: z.boolean(),
    /** It was never published. */
    isPending: z.boolean(),
    waiting: WaitingView,
  }),
})

export const editTopic = write('/topic/edit', {
  summary: 'Edits title, body and optionally tags, keeps the earlier version, and may be held for review. Another’s topic needs a reason.',
  input: z.object({ topicId: id, ...movedTo, title, body: topicDocument, ...declared, ...moderatorEdit }),
  output: z.object({ topicId: z.string(), isPending: z.boolean() }),
  errors: [FunctionClosed, Banned, LabelByStaff, ...tagRefusals, MoveIsForStaff, ...titleRefusals, ...editRefusals],
})

export const topicHistory = read('/topic/history', {
  summary: 'All versions of a topic, current one first. Versions withheld by staff are listed without content.',
  input: z.object({ topicId: id, page: page.default(1) }),
  output: z.object({
    versions: z.array(
      z.object({
        title: z.string(),
        segments: z.array(SegmentView),
        writtenAt: z.iso.datetime(),
        isWithheld: z.boolean(),
        aiLabel: AiLabelView,
      }),
    ),
    ...Pages,
  }),
  shared: true,
})

export const removeTopic = write('/topic/remove', {
  summary:
    'Deletes a topic; staff can restore it. An answered question keeps its title and answers, and another member’s topic needs a reason.',
  input: z.object({ topicId: id, ...moderatorReason }),
  output: z.object({ isWithdrawn: z.boolean() }),
  errors: [ReasonNeeded],
})

export const hotTopics = read('/topic/hot', {
  summary: 'The eight hottest topics by comments and views. A language gives its topics precedence, except over much hotter ones.',
  input: z.object({ language: z.enum(threadLanguages).optional() }),
  output: z.object({ topics: z.array(TopicLinkView) }),
  shared: true,
})

export const memberTopics = read('/user/control/topicList', {
  summary: 'Topics or questions by the member, or by another member with public activity.',
  input: z.object({ userId: id.optional(), page: page.default(1), kind: z.enum(threadKinds).default('topic') }),
  output: z.object({
    /** A rejected topic is not published, like a pending one; its author may edit and resubmit it. */
    topics: z.array(TopicCardView.extend({ isRejected: z.boolean() })),
    ...Pages,
    user: AuthorView,
  }),
  errors: [ActivityHidden],
})
