import { z } from 'zod'
import { aiFilters, AiLabelView } from '#ai-label/contract.ts'
import { id, page, read, refusal } from '#base/contract.ts'
import { typed } from '#base/plain-text.ts'
import { longestQuery } from '#search/limits.ts'
import { PlaceView } from '#tag/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'
import { PictureView } from '#writing/contract.ts'
import { kinds, questionStates, threadKinds } from '#kind/contract.ts'

/** The search server is away. */
export const SearchAway = refusal('search.away', { status: 503 })

/** A text in pieces. Those that were looked for are marked; all are shown as text. */
const PiecesView = z.array(z.object({ text: z.string(), isHit: z.boolean() }))
export type PiecesView = z.infer<typeof PiecesView>

/** Something found. A comment or a reply shows the title of its topic and leads to its floor. */
export const HitView = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  topicId: z.string(),
  /** What opened the thread it stands in. */
  thread: z.enum(threadKinds),
  /** Of what asks. */
  questionState: z.enum(questionStates).nullable(),
  title: PiecesView,
  excerpt: PiecesView,
  author: AuthorView,
  place: PlaceView,
  publishedAt: z.iso.datetime(),
  aiLabel: AiLabelView,
  /** Of a topic. */
  commentCount: z.number().nullable(),
  isPinned: z.boolean(),
  isFeatured: z.boolean(),
  picture: PictureView.nullable(),
  /** Of a comment, and of the comment that a reply stands under. */
  commentId: z.string().nullable(),
  floor: z.number().nullable(),
})
export type HitView = z.infer<typeof HitView>

const keyword = typed.trim().max(longestQuery)
const date = z.iso.date()

export const search = read('/search', {
  summary: 'Topics, questions and what stands under them that say what is looked for, as far as this viewer may look.',
  input: z.object({
    keyword: keyword.min(1),
    /** Topics are those that do not ask; comments are all that stands in a thread, answers too; a bounty stands for questions with one. */
    kind: z.enum(['all', 'topic', 'question', 'resolved', 'unresolved', 'bounty', 'comment']).default('all'),
    /** A tag, and those below it. */
    tagId: id.optional(),
    /** Whoever goes by this name. */
    author: typed.trim().max(30).optional(),
    within: z.enum(['day', 'week', 'month', 'year']).optional(),
    from: date.optional(),
    until: date.optional(),
    pictures: z.boolean().default(false),
    /** Only what is labelled as AI-generated, or what is not. */
    ai: z.enum(aiFilters).optional(),
    sort: z.enum(['best', 'newest', 'replies']).default('best'),
    page: page.default(1),
  }),
  output: z.object({
    hits: z.array(HitView),
    total: z.number(),
    /** There are more than the total says: it is counted only up to an end. */
    isMore: z.boolean(),
    /** How many have all that was asked for. Those after them have some of it. */
    whole: z.number(),
    page: z.number(),
    pages: z.number(),
    /** Words read as if they were spelled otherwise. */
    respelled: z.array(z.object({ from: z.string(), to: z.string() })),
    /** Tags that are called so, on the first page of what is looked for anywhere. */
    tags: z.array(PlaceView),
    /** Nobody goes by the name that was asked for. */
    isAuthorUnknown: z.boolean(),
  }),
  errors: [ActivityHidden, SearchAway],
  shared: true,
})

export const suggest = read('/search/suggest', {
  summary:
    'Titles and tags that somebody may be typing: by their words, their pinyin or its initials. Before that, the words that staff suggest.',
  input: z.object({ keyword: keyword.default('') }),
  output: z.object({
    topics: z.array(z.object({ id: z.string(), kind: z.enum(threadKinds), title: PiecesView })),
    tags: z.array(PlaceView),
    hotWords: z.array(z.string()),
  }),
  errors: [SearchAway],
  shared: true,
})
