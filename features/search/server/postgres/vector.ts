import type { Clause, Entry, Filter, Phrase } from '#search/server/engine.ts'

/**
 * How tokens are written in a tsvector. Beside the words stand marks, so that one index answers all that a question asks:
 * `^` before what stands in the title, `+` before what is strong, `~` before what one may begin to type, `=` before author, tag and so on.
 */
export const mark = { title: '^', strong: '+', typed: '~', fact: '=' } as const

const lastPosition = 16_383

export function wordsVector(entry: Entry): string {
  return [
    placed(entry.words),
    ...entry.title.map((token) => quoted(mark.title + token)),
    ...entry.typed.map((text) => quoted(mark.typed + text)),
    ...factsOf(entry).map(quoted),
  ].join(' ')
}

export function coreVector({ title, strong, typed }: Entry): string {
  return [placed(title), ...strong.map((token) => quoted(mark.strong + token)), ...typed.map((text) => quoted(mark.typed + text))].join(' ')
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

const picturesFact = `${mark.fact}pictures`

function authorFact(id: string): string {
  return `${mark.fact}by${id}`
}

function tagFact(id: string): string {
  return `${mark.fact}in${id}`
}

function kindFact(kind: string): string {
  return mark.fact + kind
}

// Marks for one week, four, sixteen and sixty-four: a long time is few marks, and few are quick to look for.
const levels = [0, 2, 4, 6] as const

function timeFact(level: number, number: number): string {
  return `${mark.fact}time${level}.${number}`
}

/** The marks that together stand for these weeks and those between, and for no other. */
export function timeFacts(first: number, last: number): string[] {
  const facts: string[] = []
  for (let week = first; week <= last;) {
    const level = levels.findLast((one) => week % (1 << one) === 0 && week + (1 << one) - 1 <= last) ?? 0
    facts.push(timeFact(level, week >> level))
    week += 1 << level
  }
  return facts
}

/** A condition on tokens: one of each list. */
export type Needs = readonly (readonly string[])[]

/** What the filter asks for, as far as marks say it. */
export function factsNeeded({ authorId, tagIds, kinds, hasPictures, ai }: Filter): Needs {
  return [
    ...(authorId ? [[authorFact(authorId)]] : []),
    ...(tagIds ? [tagIds.map(tagFact)] : []),
    ...(kinds ? [kinds.map(kindFact)] : []),
    ...(hasPictures ? [[picturesFact]] : []),
    ...(ai === 'only' ? [[kindFact('ai')]] : []),
  ]
}

/** The mark that nothing may have, negated; null where the filter leaves out nothing by marks. */
export function factLeftOut({ ai }: Filter): string | null {
  return ai === 'without' ? `!${quoted(kindFact('ai'))}` : null
}

export function needsQuery(needs: Needs): string {
  return needs.map((tokens) => `(${tokens.map(quoted).join(' | ')})`).join(' & ')
}

/** What matches one of a clause's atoms, wherever it stands. */
export function clauseQuery({ anyOf }: Clause): string {
  const ways = anyOf.map(({ token, within, isStart }) => {
    const head = within === 'words' ? '' : mark[within]
    return quoted(head + token) + (isStart || within === 'typed' ? ':*' : '')
  })
  return `(${ways.join(' | ')})`
}

/** What matches a clause in the core, for each place that has a worth of its own. */
export function coreQueries({ anyOf }: Clause): { title: string; typed: string; strong: string } {
  const words = anyOf.filter(({ within }) => within !== 'typed')
  const one = (head: string) => words.map(({ token, isStart }) => quoted(head + token) + (isStart ? ':*' : '')).join(' | ')
  const typed = anyOf.filter(({ within }) => within === 'typed').map(({ token }) => `${quoted(mark.typed + token)}:*`)
  return { title: one(''), strong: one(mark.strong), typed: typed.join(' | ') }
}

export function phraseQuery({ tokens }: Pick<Phrase, 'tokens'>): string {
  return tokens
    .map(({ text, at }, number) => {
      const before = tokens[number - 1]
      return before ? `<${at - before.at}> ${quoted(text)}` : quoted(text)
    })
    .join(' ')
}

function placed(tokens: readonly string[]): string {
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
