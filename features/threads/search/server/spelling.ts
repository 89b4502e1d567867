import { sql } from 'kysely'
import { anyOf, insertRows, type Db } from '#base/server/database/database.ts'
import { areInvalidated } from '#base/server/cache/invalidation.ts'
import { perProgram } from '#base/server/program.ts'
import { countsTag } from '#search/server/postgres/shares.ts'
import { isCorrectable, isOneEdit, deletionsOf } from '#search/server/text/edit-distance.ts'

const maxNew = 5_000

// Nearly every word has been seen before; those need no trip to the database.
const seenBy = perProgram(({ invalidations }) => {
  const knownWords = new Set<string>()
  invalidations.on((tags) => {
    if (areInvalidated(tags, countsTag)) knownWords.clear()
  })
  return knownWords
})
const maxKnown = 50_000

/** Keeps the spelling of words that are new. */
export async function storeWords(tx: Db, words: Iterable<string>): Promise<void> {
  const knownWords = seenBy(tx)
  const fresh = [...new Set(words)].filter((word) => isCorrectable(word) && !knownWords.has(word)).slice(0, maxNew)
  if (fresh.length === 0) return
  const known = await tx.selectFrom('search_word').select('word').where('word', '=', anyOf(fresh)).execute()
  const old = new Set(known.map(({ word }) => word))
  const rows = fresh.filter((word) => !old.has(word)).map((word) => ({ word, slips: deletionsOf(word) }))
  if (rows.length > 0)
    await insertRows(tx, 'search_word', rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (knownWords.size > maxKnown) knownWords.clear()
  // Only committed rows are sure to stay.
  for (const word of old) knownWords.add(word)
}

type NearWords = {
  /** The known words that begin with each of some words. */
  begun: ReadonlyMap<string, readonly string[]>
  /** The known words that each of others may stand for: one edit apart, or begun with a slip. */
  corrections: ReadonlyMap<string, readonly string[]>
}

/** Known words that begin with some words, and corrections of others, in one trip. */
export async function wordsNear(db: Db, beginnings: readonly string[], misspelled: readonly string[]): Promise<NearWords> {
  const correctable = misspelled.filter(isCorrectable)
  const halves = correctable.filter((word) => word.length >= minPrefixLength).map(halfOf)
  const [begun, others] = await lookUp(db, [...new Set([...beginnings, ...halves])], correctable.flatMap(deletionsOf))
  const correctionsOf = (word: string) => {
    const spelled = others.filter((other) => isOneEdit(word, other))
    return spelled.length > 0 ? spelled : (begun.get(halfOf(word)) ?? []).filter((other) => beginsNear(word, other))
  }
  return { begun, corrections: new Map(correctable.map((word) => [word, correctionsOf(word)])) }
}

const minPrefixLength = 6

// The first half must match exactly, so that few are compared.
function halfOf(word: string): string {
  return word.slice(0, Math.ceil(word.length / 2))
}

function beginsNear(word: string, other: string): boolean {
  if (word.length < minPrefixLength || other.length <= word.length) return false
  return [0, -1, 1].some((by) => isOneEdit(word, other.slice(0, word.length + by)))
}

const maxCompletions = 500

/** Known words with each of these prefixes, and those with any of these deletions. */
async function lookUp(db: Db, beginnings: readonly string[], slips: readonly string[]): Promise<[Map<string, string[]>, string[]]> {
  if (beginnings.length + slips.length === 0) return [new Map(), []]
  // Few words match; with a limit the planner would expect early matches and scan the table.
  const { rows } = await sql<{ beginning: string | null; word: string }>`
    select asked.beginning, begun.word
    from unnest(${beginnings}::text[]) as asked(beginning), lateral (
      select word from search_word
      where word collate "C" > asked.beginning and word collate "C" < asked.beginning || chr(1114111)
      order by word collate "C" limit ${maxCompletions}
    ) as begun
    union all
    select null, word from search_word where slips && ${slips}::text[]`.execute(db)
  const begun = Map.groupBy(rows, ({ beginning }) => beginning)
  const wordsOf = (beginning: string | null) => (begun.get(beginning) ?? []).map(({ word }) => word)
  return [new Map(beginnings.map((one) => [one, wordsOf(one)])), wordsOf(null)]
}
