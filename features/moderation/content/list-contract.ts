import { z } from 'zod'
import { aiFilters, AiLabelView } from '#ai-label/contract.ts'
import { id, time } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import { kind, staffList } from '#base/staff-list.ts'
import { marks, State, states } from '#content/views.ts'
import { threadKinds } from '#kind/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { AuthorView } from '#user/contract.ts'

const state = kind.choice(states)
const author = kind.other(AuthorView)
const text = kind.text
const fields = { place: PlaceView, reason: z.string().nullable(), editedAt: time.nullable(), aiLabel: AiLabelView }

const filters = {
  keyword: kind.typed(typedString.trim().max(90).optional()),
  /** A name, an account or an id. */
  author: { ...kind.person, filter: typedString.trim().max(60).optional() },
  tagId: kind.typed(id.optional()),
  state,
  thread: kind.choice(threadKinds),
  /** Only posts with the AI label, or only those without. */
  ai: kind.choice(aiFilters, (one) => (one === 'only' ? 'aiOnly' : 'aiWithout')),
}
/** The targets of this batch, in their present state, and days. */
const moreFilters = { batchId: kind.labelled('ofBatch', kind.typed(id.optional())), ...kind.times }

export const topicsForStaff = staffList('/admin/topic/list', {
  summary: 'Topics in every state, except erased ones.',
  words: 'contentAdmin',
  columns: {
    title: kind.labelled('topic', kind.text),
    author,
    place: kind.labelled('tag', kind.other(PlaceView)),
    publishedAt: kind.time,
    lastReplyAt: kind.labelled('lastReply', kind.time),
    commentCount: kind.labelled('allUnder', kind.number),
    viewCount: kind.labelled('views', kind.number),
    state: kind.extra(state),
    text: kind.extra(text),
  },
  fields: { ...fields, marks: z.array(z.enum(marks)) },
  filters: { ...filters, mark: kind.choice(marks), ...moreFilters },
  sorts: { published: 'publishedAt', reply: 'lastReplyAt', comments: 'commentCount', views: 'viewCount' },
})
export type TopicRow = z.output<typeof topicsForStaff.row>

const remarkColumns = {
  author,
  topic: kind.other(z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string(), state: State })),
  /** Null while it is pending. */
  floor: kind.orNull(kind.number),
  publishedAt: kind.time,
}

export const commentsForStaff = staffList('/admin/comment/list', {
  summary: 'Comments in every state, on any topic.',
  words: 'contentAdmin',
  columns: {
    text: kind.labelled('comment', text),
    ...remarkColumns,
    replyCount: kind.labelled('replies', kind.number),
    state: kind.extra(state),
  },
  fields: { ...fields, commentId: z.string() },
  filters: { ...filters, topicId: kind.typed(id.optional()), ...moreFilters },
  sorts: { published: 'publishedAt', replies: 'replyCount' },
})
export type RemarkRow = z.output<typeof commentsForStaff.row>

export const repliesForStaff = staffList('/admin/reply/list', {
  summary: 'Replies in every state, to any comment.',
  words: 'contentAdmin',
  columns: { text: kind.labelled('reply', text), ...remarkColumns, state: kind.extra(state) },
  fields: { ...fields, commentId: z.string(), replyCount: z.number() },
  filters: { ...filters, topicId: kind.typed(id.optional()), commentId: kind.typed(id.optional()), ...moreFilters },
  sorts: { published: 'publishedAt' },
})
