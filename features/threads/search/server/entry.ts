import { keyOf, type Entry, type EntryMark } from '#search/server/engine.ts'
import { typedForms } from '#search/server/text/sound.ts'
import { extraTokensOf, stopWords, tokensOf, type Token } from '#search/server/text/tokens.ts'
import type { Kind, QuestionState } from '#kind/contract.ts'

/** The searchable content of a post. */
export type SearchablePost = {
  kind: Kind
  /** The state of a question; null for all others. */
  questionState: QuestionState | null
  /** Whether it has an open bounty. */
  hasBounty: boolean
  id: string
  topicId: string
  tagId: string
  /** The further tags of a question. */
  furtherTagIds: readonly string[]
  authorId: string
  publishedAt: Date
  hasPictures: boolean
  /** Whether it has the AI label. */
  isAi: boolean
  /** Whether it is published, with all posts above it. */
  isShown: boolean
  /** Null for comments and replies. */
  title: string | null
  text: string
}

const maxTokens = 30_000
// The gap keeps phrases from matching across title, text, and what has no place in them.
const gap = ['', '', '', '']
const minRepetitions = 3
const maxStrong = 40

/** The entry of a post, and all of its tokens. */
export function entryOf(post: SearchablePost): { entry: Entry; tokens: Token[] } {
  const title = post.title === null ? [] : tokensOf(post.title)
  const textTokens = tokensOf(post.text, maxTokens)
  const titleExtras = extraTokensOf(post.title ?? '')
  const textExtras = extraTokensOf(post.text)
  // Titles keep stop words, so that "The Who" can be found.
  const titleTokens = apart(textsOf(title), textsOf(titleExtras))
  const words = textTokens.map((token) => (isStopToken(token) ? '' : token.text))
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
    words: apart(titleTokens, words, textsOf(textExtras)),
    strong: post.title === null ? [] : frequentTokens(words),
    typed: post.title === null ? [] : typedForms(post.title),
  }
  return { entry, tokens: [...title, ...textTokens, ...titleExtras, ...textExtras] }
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text)
}

function apart(...parts: readonly (readonly string[])[]): string[] {
  return parts.filter(({ length }) => length > 0).flatMap((part, index) => (index === 0 ? part : [...gap, ...part]))
}

function marksOf(post: SearchablePost): EntryMark[] {
  return [...marksOfOpening(post), ...(post.isAi ? (['ai'] as const) : [])]
}

function marksOfOpening({ kind, questionState, hasBounty }: SearchablePost): EntryMark[] {
  if (kind !== 'topic') return []
  if (questionState === null) return ['tells']
  if (questionState === 'withdrawn') return ['asks']
  return ['asks', questionState === 'resolved' ? 'resolved' : 'unresolved', ...(hasBounty ? (['bounty'] as const) : [])]
}

function isStopToken({ word }: Token): boolean {
  return word !== null && stopWords.has(word)
}

function frequentTokens(tokens: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const token of tokens) if (token) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= minRepetitions)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxStrong)
    .map(([token]) => token)
}
