import type { Clause, Entry, Filter, Phrase } from '#search/server/engine.ts'

/**
 * The prefixes of lexemes in a tsvector, so that one index serves all conditions of a question: `^` for title tokens, `+` for
 * strong ones, `~` for typed strings, `=` for facts such as author and tag.
 */
export const prefixes = { title: '^', strong: '+', typed: '~', fact: '=' } as const

const lastPosition = 16_383

export function wordsVector(entry: Entry): string {
  return [
    positioned(entry.words),
    ...entry.title.map((token) => quoted(prefixes.title + token)),
    ...entry.typed.map((text) => quoted(prefixes.typed + text)),
    ...factsOf(entry).map(quoted),
  ].join(' ')
}

export function coreVector({ title, strong, typed }: Entry): string {
  return [
    positioned(title),
    ...strong.map((token) => quoted(prefixes.strong + token)),
    ...typed.map((text) => quoted(prefixes.typed + text)),
  ].join(' ')
}

const weekMs = 7 * 86_400_000

export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / weekMs)
}

function factsOf({ authorId, tagId, furtherTagIds, kind, marks, publishedAt, hasPictures }: Entry): string[] {
  const week = weekOf(publishedAt)
  const facts = [
    authorFact(authorId),
    ...[tagId, ...furtherTagIds].map(tagFact),
    ...[kind, ...marks].map(kindFact),
    ...levels.map((level) => timeFact(level, week >> level)),
  ]
  return hasPictures ? [...facts, picturesFact] : facts
}

const picturesFact = `${prefixes.fact}pictures`

function authorFact(id: string): string {
  return `${prefixes.fact}by${id}`
}

function tagFact(id: string): string {
  return `${prefixes.fact}in${id}`
}

function kindFact(kind: string): string {
  return prefixes.fact + kind
}

// Lexemes for periods of one, four, sixteen and sixty-four weeks: a long range needs few of them, which is fast.
const levels = [0, 2, 4, 6] as const

function timeFact(level: number, number: number): string {
  return `${prefixes.fact}time${level}.${number}`
}

/** The lexemes that together cover exactly this range of weeks. */
export function timeFacts(first: number, last: number): string[] {
  const facts: string[] = []
  for (let week = first; week <= last;) {
    const level = levels.findLast((one) => week % (1 << one) === 0 && week + (1 << one) - 1 <= last) ?? 0
    facts.push(timeFact(level, week >> level))
    week += 1 << level
  }
  return facts
}

/** A condition on tokens: at least one of each list. */
export type TokenNeeds = readonly (readonly string[])[]

/** The conditions of a filter that lexemes express. */
export function factsNeeded({ authorId, tagIds, kinds, hasPictures, ai }: Filter): TokenNeeds {
  return [
    ...(authorId ? [[authorFact(authorId)]] : []),
    ...(tagIds ? [tagIds.map(tagFact)] : []),
    ...(kinds ? [kinds.map(kindFact)] : []),
    ...(hasPictures ? [[picturesFact]] : []),
    ...(ai === 'only' ? [[kindFact('ai')]] : []),
  ]
}

/** The negated lexeme of an excluded fact; null for none. */
export function excludedFact({ ai }: Filter): string | null {
  return ai === 'without' ? `!${quoted(kindFact('ai'))}` : null
}

export function needsQuery(needs: TokenNeeds): string {
  return needs.map((tokens) => `(${tokens.map(quoted).join(' | ')})`).join(' & ')
}

/** A tsquery that matches any of a clause's atoms. */
export function clauseQuery({ anyOf }: Clause): string {
  const ways = anyOf.map(({ token, within, isStart }) => {
    const head = within === 'words' ? '' : prefixes[within]
    return quoted(head + token) + (isStart || within === 'typed' ? ':*' : '')
  })
  return `(${ways.join(' | ')})`
}

/** The tsqueries of a clause against the core, by field with a weight of its own. */
export function coreQueries({ anyOf }: Clause): { title: string; typed: string; strong: string } {
  const words = anyOf.filter(({ within }) => within !== 'typed')
  const one = (head: string) => words.map(({ token, isStart }) => quoted(head + token) + (isStart ? ':*' : '')).join(' | ')
  const typed = anyOf.filter(({ within }) => within === 'typed').map(({ token }) => `${quoted(prefixes.typed + token)}:*`)
  return { title: one(''), strong: one(prefixes.strong), typed: typed.join(' | ') }
}

export function phraseQuery({ tokens }: Pick<Phrase, 'tokens'>): string {
  return tokens
    .map(({ text, at }, number) => {
      const before = tokens[number - 1]
      return before ? `<${at - before.at}> ${quoted(text)}` : quoted(text)
    })
    .join(' ')
}

function positioned(tokens: readonly string[]): string {
  const positions = new Map<string, number[]>()
  for (const [index, token] of tokens.entries()) {
    if (token === '') continue
    const its = positions.get(token)
    if (its) its.push(Math.min(index + 1, lastPosition))
    else positions.set(token, [Math.min(index + 1, lastPosition)])
  }
  return [...positions].map(([token, its]) => `${quoted(token)}:${its.join(',')}`).join(' ')
}

export function quoted(token: string): string {
  return `'${token.replaceAll(/['\\]/g, '$&$&')}'`
}
