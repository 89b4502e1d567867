import type { Clause, Entry, Filter, Phrase } from '#search/server/engine.ts'

/**
 * The prefixes of lexemes in a tsvector, so that one index serves all conditions of a question: `^` for title tokens, `+` for
 * strong ones, `~` for typed strings, `=` for facts such as author and tag. Each lexeme of `words` begins with the period of its entry.
 */
const prefixes = { title: '^', strong: '+', typed: '~', fact: '=' } as const

const lastPosition = 16_383

export function wordsVector(entry: Entry): string {
  const period = periodOf(weekOf(entry.publishedAt))
  const plain = [
    ...entry.title.filter(Boolean).map((token) => prefixes.title + token),
    ...entry.typed.map((text) => prefixes.typed + text),
    ...factsOf(entry),
  ]
  return [positioned(entry.words, period), ...plain.map((lexeme) => quoted(period + lexeme))].join(' ')
}

export function coreVector({ title, strong, typed }: Entry): string {
  return [
    positioned(title, ''),
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

export const weeksPerPeriod = 16
/** The characters of a period that are prefixed to a lexeme. */
export const periodLength = 3

/** The prefix of a period of sixteen weeks: the index keeps the words of each period by themselves, so that a search reads few periods. */
export function periodOf(week: number): string {
  return String(Math.floor(week / weeksPerPeriod)).padStart(periodLength, '0')
}

// Lexemes for one and for four weeks: a range within a period needs few of them.
const levels = [0, 2] as const

function timeFact(level: number, number: number): string {
  return `${prefixes.fact}time${level}.${number}`
}

/** A condition that the lexemes of one period satisfy. */
export type Condition = (period: string) => string

/** The condition of this range of weeks of one period. */
export function weeksQuery(first: number, last: number): Condition {
  const facts: string[] = []
  for (let week = first; week <= last;) {
    const level = levels.findLast((one) => week % (1 << one) === 0 && week + (1 << one) - 1 <= last) ?? 0
    facts.push(timeFact(level, week >> level))
    week += 1 << level
  }
  return anyQuery(facts)
}

function anyQuery(lexemes: readonly string[]): Condition {
  return (period) => `(${lexemes.map((lexeme) => quoted(period + lexeme)).join(' | ')})`
}

/** The conditions of a filter that lexemes express. */
export function filterQueries({ authorId, tagIds, kinds, hasPictures, ai, without }: Filter): Condition[] {
  return [
    ...(authorId ? [anyQuery([authorFact(authorId)])] : []),
    ...(tagIds ? [anyQuery(tagIds.map(tagFact))] : []),
    ...(kinds ? [anyQuery(kinds.map(kindFact))] : []),
    ...(hasPictures ? [anyQuery([picturesFact])] : []),
    ...(ai ? [ai === 'only' ? anyQuery([kindFact('ai')]) : not(anyQuery([kindFact('ai')]))] : []),
    ...without.map((one) => not((period) => `(${phraseQuery(one)(period)}${one.isStart ? ':*' : ''})`)),
  ]
}

function not(condition: Condition): Condition {
  return (period) => `!${condition(period)}`
}

/** Any of a clause's atoms. */
export function clauseQuery({ anyOf }: Clause): Condition {
  const ways = anyOf.map(({ token, within, isStart }) => ({
    lexeme: (within === 'words' ? '' : prefixes[within]) + token,
    match: isStart || within === 'typed' ? ':*' : '',
  }))
  return (period) => `(${ways.map(({ lexeme, match }) => quoted(period + lexeme) + match).join(' | ')})`
}

/** Any of a clause's words in the title. */
export function titleQuery({ anyOf, ...clause }: Clause): Condition {
  const words = anyOf.filter(({ within }) => within !== 'typed')
  return clauseQuery({ ...clause, anyOf: words.map((atom) => ({ ...atom, within: 'title' })) })
}

/** The tsqueries of a clause against the core, by field with a weight of its own. */
export function coreQueries({ anyOf }: Clause): { title: string; typed: string; strong: string } {
  const words = anyOf.filter(({ within }) => within !== 'typed')
  const one = (head: string) => words.map(({ token, isStart }) => quoted(head + token) + (isStart ? ':*' : '')).join(' | ')
  const typed = anyOf.filter(({ within }) => within === 'typed').map(({ token }) => `${quoted(prefixes.typed + token)}:*`)
  return { title: one(''), strong: one(prefixes.strong), typed: typed.join(' | ') }
}

export function phraseQuery({ tokens }: Pick<Phrase, 'tokens'>): Condition {
  return (period) =>
    tokens
      .map(({ text, at }, number) => {
        const before = tokens[number - 1]
        return before ? `<${at - before.at}> ${quoted(period + text)}` : quoted(period + text)
      })
      .join(' ')
}

function positioned(tokens: readonly string[], period: string): string {
  const positions = new Map<string, number[]>()
  for (const [index, token] of tokens.entries()) {
    if (token === '') continue
    const its = positions.get(token)
    if (its) its.push(Math.min(index + 1, lastPosition))
    else positions.set(token, [Math.min(index + 1, lastPosition)])
  }
  return [...positions].map(([token, its]) => `${quoted(period + token)}:${its.join(',')}`).join(' ')
}

export function quoted(token: string): string {
  return `'${token.replaceAll(/['\\]/g, '$&$&')}'`
}
