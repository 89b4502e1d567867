import { keyOf, type Entry, type Mark } from '#search/server/engine.ts'
import { typedFor } from '#search/server/text/sound.ts'
import { emptyWords, tokensOf, type Token } from '#search/server/text/tokens.ts'
import type { Kind, QuestionState } from '#kind/contract.ts'

/** A post, as far as it is searched. */
export type Post = {
  kind: Kind
  /** How a question stands that it asks; null for all else. */
  questionState: QuestionState | null
  /** Whether something is offered for an answer. */
  hasBounty: boolean
  id: string
  topicId: string
  tagId: string
  /** Under which a question stands beside. */
  furtherTagIds: readonly string[]
  authorId: string
  publishedAt: Date
  hasPictures: boolean
  /** Whether it is labelled as AI-generated. */
  isAi: boolean
  /** Whether it is on the page, with what it stands under. */
  isShown: boolean
  /** Null for what has none of its own. */
  title: string | null
  text: string
}

const mostTokens = 30_000
// No phrase reaches from the title into the text.
const gap = ['', '', '', '']
const timesToBeStrong = 3
const mostStrong = 40

/** What to find a post by, and all that it is made of. */
export function entryOf(post: Post): { entry: Entry; tokens: Token[] } {
  const title = post.title === null ? [] : tokensOf(post.title)
  const said = tokensOf(post.text, mostTokens)
  // In a title every word counts, or "The Who" could not be found.
  const titleTokens = title.map(({ text }) => text)
  const words = said.map((token) => (isWordless(token) ? '' : token.text))
  const entry: Entry = {
    key: keyOf(post.kind, post.id),
    kind: post.kind,
    marks: marksOf(post),
    topicId: post.topicId,
    tagId: post.tagId,
    furtherTagIds: post.furtherTagIds,
    authorId: post.authorId,
    publishedAt: post.publishedAt,
    hasPictures: post.hasPictures,
    title: titleTokens,
    words: titleTokens.length > 0 ? [...titleTokens, ...gap, ...words] : words,
    strong: post.title === null ? [] : strongIn(words),
    typed: post.title === null ? [] : typedFor(post.title),
  }
  return { entry, tokens: [...title, ...said] }
}

function marksOf(post: Post): Mark[] {
  return [...marksOfOpening(post), ...(post.isAi ? (['ai'] as const) : [])]
}

function marksOfOpening({ kind, questionState, hasBounty }: Post): Mark[] {
  if (kind !== 'topic') return []
  if (questionState === null) return ['tells']
  if (questionState === 'withdrawn') return ['asks']
  return ['asks', questionState === 'resolved' ? 'resolved' : 'unresolved', ...(hasBounty ? (['bounty'] as const) : [])]
}

function isWordless({ word }: Token): boolean {
  return word !== null && emptyWords.has(word)
}

function strongIn(tokens: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const token of tokens) if (token) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= timesToBeStrong)
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostStrong)
    .map(([token]) => token)
}
