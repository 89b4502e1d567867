import { z } from 'zod'
import { aiFilters, AiLabelView } from '#ai-label/contract.ts'
import { id, time } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { marks, State, states } from '#content/views.ts'
import { threadKinds } from '#kind/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { AuthorView } from '#user/contract.ts'

const state = field.choice(states)
const author = field.other(AuthorView)
const text = field.text
const fields = { place: PlaceView, reason: z.string().nullable(), editedAt: time.nullable(), aiLabel: AiLabelView }

const filters = {
  keyword: field.typed(typedString.trim().max(90).optional()),
  /** A name, an account or an id. */
  author: { ...field.person, filter: typedString.trim().max(60).optional() },
  tagId: field.typed(id.optional()),
  state,
  thread: field.choice(threadKinds),
  /** Only posts with the AI label, or only those without. */
  ai: field.choice(aiFilters, (one) => (one === 'only' ? 'aiOnly' : 'aiWithout')),
}
/** The targets of this batch, in their present state, and days. */
const moreFilters = { batchId: field.labelled('ofBatch', field.typed(id.optional())), ...field.times }

export const topicsForStaff = staffList('/admin/topic/list', {
  summary: 'Topics in every state, except erased ones.',
  words: 'contentAdmin',
  columns: {
    title: field.labelled('topic', field.text),
    author,
    place: field.labelled('tag', field.other(PlaceView)),
    publishedAt: field.time,
    lastReplyAt: field.labelled('lastReply', field.time),
    commentCount: field.labelled('allUnder', field.number),
    viewCount: field.labelled('views', field.number),
    state: field.extra(state),
    text: field.extra(text),
  },
  values: { ...fields, marks: z.array(z.enum(marks)) },
  filters: { ...filters, mark: field.choice(marks), ...moreFilters },
  sorts: { published: 'publishedAt', reply: 'lastReplyAt', comments: 'commentCount', views: 'viewCount' },
})
export type TopicRow = z.output<typeof topicsForStaff.row>

const remarkColumns = {
  author,
  topic: field.other(z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string(), state: State })),
  /** Null while it is pending. */
  floor: field.orNull(field.number),
  publishedAt: field.time,
}

export const commentsForStaff = staffList('/admin/comment/list', {
  summary: 'Comments in every state, on any topic.',
  words: 'contentAdmin',
  columns: {
    text: field.labelled('comment', text),
    ...remarkColumns,
    replyCount: field.labelled('replies', field.number),
    state: field.extra(state),
  },
  values: { ...fields, commentId: z.string() },
  filters: { ...filters, topicId: field.typed(id.optional()), ...moreFilters },
  sorts: { published: 'publishedAt', replies: 'replyCount' },
})
export type RemarkRow = z.output<typeof commentsForStaff.row>

export const repliesForStaff = staffList('/admin/reply/list', {
  summary: 'Replies in every state, to any comment.',
  words: 'contentAdmin',
  columns: { text: field.labelled('reply', text), ...remarkColumns, state: field.extra(state) },
  values: { ...fields, commentId: z.string(), replyCount: z.number() },
  filters: { ...filters, topicId: field.typed(id.optional()), commentId: field.typed(id.optional()), ...moreFilters },
  sorts: { published: 'publishedAt' },
})
