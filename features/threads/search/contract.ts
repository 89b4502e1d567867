import { z } from 'zod'
import { aiFilters, AiLabelView } from '#ai-label/contract.ts'
import { id, page, read, refusal } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import { longestQuery } from '#search/limits.ts'
import { PlaceView } from '#tag/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'
import { PictureView } from '#writing/contract.ts'
import { kinds, questionStates, threadKinds } from '#kind/contract.ts'

/** The search server does not respond. */
export const SearchAway = refusal('search.away', { status: 503 })

/** A text in pieces, of which matches are marked. All are plain text. */
const PiecesView = z.array(z.object({ text: z.string(), isHit: z.boolean() }))
export type PiecesView = z.infer<typeof PiecesView>

/** A search result. A comment or a reply has the title of its topic and leads to its floor. */
export const HitView = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  topicId: z.string(),
  /** The kind of its thread. */
  thread: z.enum(threadKinds),
  /** For questions only. */
  questionState: z.enum(questionStates).nullable(),
  title: PiecesView,
  excerpt: PiecesView,
  author: AuthorView,
  place: PlaceView,
  publishedAt: z.iso.datetime(),
  aiLabel: AiLabelView,
  /** For topics only. */
  commentCount: z.number().nullable(),
  isPinned: z.boolean(),
  isFeatured: z.boolean(),
  picture: PictureView.nullable(),
  /** The comment itself, or the comment above a reply. */
  commentId: z.string().nullable(),
  floor: z.number().nullable(),
})
export type HitView = z.infer<typeof HitView>

const keyword = typedString.trim().max(longestQuery)
const date = z.iso.date()

export const search = read('/search', {
  summary: 'Full-text search in topics, questions, comments and replies visible to the viewer.',
  input: z.object({
    keyword: keyword.min(1),
    /** `topic` excludes questions; `comment` includes replies and answers; `bounty` means questions with one. */
    kind: z.enum(['all', 'topic', 'question', 'resolved', 'unresolved', 'bounty', 'comment']).default('all'),
    /** A tag with its subtags. */
    tagId: id.optional(),
    /** The exact name of the author. */
    author: typedString.trim().max(30).optional(),
    within: z.enum(['day', 'week', 'month', 'year']).optional(),
    from: date.optional(),
    until: date.optional(),
    pictures: z.boolean().default(false),
    /** Only posts with the AI label, or only those without. */
    ai: z.enum(aiFilters).optional(),
    sort: z.enum(['best', 'newest', 'replies']).default('best'),
    page: page.default(1),
  }),
  output: z.object({
    hits: z.array(HitView),
    total: z.number(),
    /** True if there are more than `total`, which has an upper limit. */
    isMore: z.boolean(),
    /** The number of complete matches; those after them are partial. */
    whole: z.number(),
    page: z.number(),
    pages: z.number(),
    /** Words that were matched with another spelling. */
    respelled: z.array(z.object({ from: z.string(), to: z.string() })),
    /** Tags with a matching name, on the first page of an unfiltered search. */
    tags: z.array(PlaceView),
    /** There is no member with the given author name. */
    isAuthorUnknown: z.boolean(),
  }),
  errors: [ActivityHidden, SearchAway],
  shared: true,
})

export const suggest = read('/search/suggest', {
  summary: 'Search suggestions: titles and tags by words, pinyin or pinyin initials. Without input, the words suggested by staff.',
  input: z.object({ keyword: keyword.default('') }),
  output: z.object({
    topics: z.array(z.object({ id: z.string(), kind: z.enum(threadKinds), title: PiecesView })),
    tags: z.array(PlaceView),
    hotWords: z.array(z.string()),
  }),
  errors: [SearchAway],
  shared: true,
})
