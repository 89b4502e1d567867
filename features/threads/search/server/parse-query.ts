import type { Atom, Clause, Phrase, TokenShares, ExcludedPhrase } from '#search/server/engine.ts'
import { soundOf } from '#search/server/text/sound.ts'
import { fold } from '#search/server/text/fold.ts'
import { isSign, isStopWord, signsIn, tokensOf, type Token } from '#search/server/text/tokens.ts'
import { unitsIn, type Unit } from '#search/server/text/units.ts'

/** One token of a query; a single Chinese character is a prefix of bigrams. */
export type Term = Unit & { token: string; word: string | null; isStart: boolean; isNeeded: boolean; isQuoted: boolean }

export type ParsedQuery = {
  terms: Term[]
  phrases: { tokens: { text: string; at: number }[]; isNeeded: boolean }[]
  without: ExcludedPhrase[]
}

const quotes = /"([^"]*)"|「([^」]*)」|『([^』]*)』/g
// A minus at the start of a word or a quotation excludes it; within a word it is a hyphen.
const minus = /(?<=^|\s)-(?:"([^"]+)"|「([^」]+)」|『([^』]+)』|([^\s\-"「『]\S*))/g
const maxExcluded = 8
const maxTerms = 24
const maxPhrases = 8

/** Parses a query: quoted text is a phrase to match literally, words with a minus are excluded, and all other words are needed. */
export function parseQuery(typed: string): ParsedQuery {
  const text = normalizeOperators(typed)
  const remaining = text.replaceAll(minus, ' ')
  // Without any other word, a minus is an ordinary character.
  if (tokensOf(remaining, 1).length === 0 && signsOf(remaining).length === 0) return parseWanted(text, [])
  const without = [...text.matchAll(minus)].map(([, ...groups]) => parseUnwanted(groups.find((one) => one !== undefined) ?? ''))
  return parseWanted(remaining, without.filter(({ tokens }) => tokens.length > 0).slice(0, maxExcluded))
}

// Input methods type the same signs in other widths and shapes.
function normalizeOperators(text: string): string {
  return text.replaceAll(/[“”„‟＂〝〞〟]/g, '"').replaceAll(/(?<=^|\s)[－−﹣‐‑–](?=\S)/g, '-')
}

function parseUnwanted(text: string): ExcludedPhrase {
  const tokens = tokensOf(text)
  const [first, ...others] = tokens
  if (!first) return { tokens: signsOf(text).flatMap((sign, index) => (index === 0 ? [{ text: sign, at: 0 }] : [])), isStart: false }
  return { tokens: quotedPhrase(runsOf(tokens)).slice(0, maxTerms), isStart: first.word === null && others.length === 0 }
}

function parseWanted(text: string, without: ExcludedPhrase[]): ParsedQuery {
  const terms = new Map<string, Term>()
  const phrases: ParsedQuery['phrases'] = []
  let unit = 0
  for (const { text: piece, isQuoted } of piecesOf(text)) {
    const runs = runsOf(tokensOf(piece))
    const units = unitsIn(piece, unit)
    unit += units.length
    for (const token of runs.flatMap(indexedTokens)) {
      const { text: its, word, position } = token
      const before = terms.get(its)
      const isNeeded = isQuoted || !isStopWord(token) || (before?.isNeeded ?? false)
      const place = units[position] ?? { unit: unit++, name: null }
      terms.set(its, {
        ...place,
        token: its,
        word,
        isStart: isLone(runs, token),
        isNeeded,
        isQuoted: isQuoted || (before?.isQuoted ?? false),
      })
    }
    // Beside words, signs are decoration unless they are quoted.
    for (const sign of signsOf(piece)) terms.set(sign, signTerm(sign, isQuoted, unit++))
    phrases.push(
      ...(isQuoted ? [quotedPhrase(runs)] : pairsOf(runs)).flatMap((tokens) => (tokens.length > 1 ? [{ tokens, isNeeded: isQuoted }] : [])),
    )
  }
  const all = [...terms.values()].slice(0, maxTerms)
  const saysNothing = !all.some((term) => term.isNeeded)
  return { terms: all.map((term) => (saysNothing ? { ...term, isNeeded: true } : term)), phrases: phrases.slice(0, maxPhrases), without }
}

function signsOf(text: string): string[] {
  return signsIn(fold(text).text)
}

function signTerm(token: string, isQuoted: boolean, unit: number): Term {
  return { token, word: null, isStart: false, isNeeded: isQuoted, isQuoted, unit, name: null }
}

function piecesOf(text: string): { text: string; isQuoted: boolean }[] {
  const pieces: { text: string; isQuoted: boolean }[] = []
  let from = 0
  for (const { 0: whole, index, ...groups } of text.matchAll(quotes)) {
    pieces.push({ text: text.slice(from, index), isQuoted: false })
    pieces.push({ text: groups[1] ?? groups[2] ?? groups[3] ?? '', isQuoted: true })
    from = index + whole.length
  }
  return [...pieces, { text: text.slice(from), isQuoted: false }]
}

/** Groups tokens: each word is a run of its own; characters without spaces between them form one. */
function runsOf(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  let run: Token[] = []
  for (const token of tokens) {
    run.push(token)
    if (token.word !== null || isSingle(token)) {
      runs.push(run)
      run = []
    }
  }
  return runs
}

// Only bigrams are used where there are any, since they include the last character.
function indexedTokens(run: readonly Token[]): readonly Token[] {
  return run.length > 1 ? run.slice(0, -1) : run
}

function isLone(runs: readonly Token[][], token: Token): boolean {
  return token.word === null && runs.some((run) => run.length === 1 && run[0]?.text === token.text)
}

function isSingle({ text }: Token): boolean {
  return [...text].length === 1
}

function quotedPhrase(runs: readonly Token[][]): { text: string; at: number }[] {
  return runs
    .flatMap(indexedTokens)
    .flatMap((token) => (token.word !== null && isStopWord(token) ? [] : [{ text: token.text, at: token.position }]))
}

/** The phrases of each run of characters, and of each two adjacent words. */
function pairsOf(runs: readonly Token[][]): { text: string; at: number }[][] {
  const placed = (run: readonly Token[]) => indexedTokens(run).map(({ text, position }) => ({ text, at: position }))
  const words = runs.flat().filter((token) => token.word !== null && !isStopWord(token))
  const pairs = words.slice(1).flatMap((word, before) => {
    const first = words[before]
    return first && word.position - first.position <= 3 ? [placed([first]).concat(placed([word]))] : []
  })
  return [...runs.filter((run) => run.length > 2).map(placed), ...pairs]
}

const maxCharacters = 4

/** A short Chinese word as separate characters, in any place; null for other queries, for which that would match too much. */
export function asCharacters({ terms }: ParsedQuery): ParsedQuery | null {
  const needed = terms.filter(({ isNeeded }) => isNeeded)
  const characters = [...new Set(needed.flatMap(({ token }) => [...token]))]
  const isOneWord =
    needed.length > 0 &&
    needed.length < maxCharacters &&
    needed.every(({ token, word, isStart }) => word === null && !isStart && !isSign(token))
  if (!isOneWord || characters.length > maxCharacters) return null
  return {
    terms: characters.map((token, unit) => ({ token, word: null, isStart: true, isNeeded: true, isQuoted: false, unit, name: null })),
    phrases: [],
    without: [],
  }
}

type ClauseContext = {
  shares: TokenShares
  /** Other spellings of a word, as tokens. */
  spellings?: ReadonlyMap<string, readonly string[]>
  /** There were few matches by words, so initials are tried. */
  isSparse?: boolean
  /** Short words also match by pronunciation. */
  byEar?: boolean
}

/** The engine's clauses and phrases for a query, with the highest weights for rare words. */
export function clausesOf(
  { terms, phrases }: ParsedQuery,
  { shares, spellings, isSparse = false, byEar = false }: ClauseContext,
): { clauses: Clause[]; phrases: Phrase[] } {
  const weights = new Map(terms.map(({ token, isNeeded }) => [token, weightOf(shares, token) * (isNeeded ? 1 : 0.2)]))
  const heard = new Set(['pinyin', ...(isSparse ? ['initials'] : []), ...(byEar ? ['syllables'] : [])])
  const weigh = (tokens: readonly { text: string }[]) => tokens.reduce((sum, { text }) => sum + (weights.get(text) ?? 0), 0)
  return {
    clauses: terms.map((term) => ({
      anyOf: atomsOf(term, spellings?.get(term.word ?? '') ?? [], heard),
      weight: weights.get(term.token) ?? 0,
      isNeeded: term.isNeeded,
    })),
    phrases: phrases.map((phrase) => ({ ...phrase, weight: weigh(phrase.tokens) / 2 })),
  }
}

function atomsOf({ token, word, isStart, isQuoted, name }: Term, spellings: readonly string[], heard: ReadonlySet<string>): Atom[] {
  const sound = word && !isQuoted && soundOf(word)
  return [
    { token, within: 'words', isStart },
    ...(name && !isQuoted ? [{ token: name, within: 'words', isStart: false } as const] : []),
    ...spellings.map((one): Atom => ({ token: one, within: 'words', isStart: false })),
    ...(sound && heard.has(sound) ? [{ token: word, within: 'typed', isStart: true } as const] : []),
  ]
}

/** Of the clauses of each word as it was typed, the rarest: the digits alone of mp3 are no part of a match. */
export function oneOfEachUnit({ terms }: ParsedQuery, clauses: readonly Clause[]): Clause[] {
  const byUnit = Map.groupBy(clauses, (clause) => terms[clauses.indexOf(clause)]?.unit)
  return [...byUnit.values()].flatMap((its) => its.toSorted((one, other) => other.weight - one.weight).slice(0, 1))
}

const minWeight = 0.1

function weightOf({ entries, of }: TokenShares, token: string): number {
  const total = Math.max(entries, 10)
  const share = Math.max(of.get(token) ?? 0, 1 / total)
  return Math.max(minWeight, Math.log(1 / share) / Math.log(total))
}
