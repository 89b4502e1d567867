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

/** Known words within one edit of these. */
export async function spellingsOf(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const correctable = words.filter(isCorrectable)
  if (correctable.length === 0) return new Map()
  const slips = correctable.flatMap(deletionsOf)
  // Few words match; with a limit the planner would expect early matches and scan the table.
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where(sql<boolean>`slips && ${slips}::text[]`)
    .execute()
  return new Map(correctable.map((word) => [word, rows.map((row) => row.word).filter((other) => isOneEdit(word, other))]))
}

/** Known words with a prefix within one edit of these. The first half must match exactly, so that few are compared. */
export async function completionsNear(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const halfOf = (word: string) => word.slice(0, Math.ceil(word.length / 2))
  const correctable = words.filter((word) => isCorrectable(word) && word.length >= minPrefixLength)
  const begun = await wordsWithPrefix(db, [...new Set(correctable.map(halfOf))])
  return new Map(correctable.map((word) => [word, (begun.get(halfOf(word)) ?? []).filter((other) => beginsNear(word, other))]))
}

const minPrefixLength = 6

function beginsNear(word: string, other: string): boolean {
  if (other.length <= word.length) return false
  return [0, -1, 1].some((by) => isOneEdit(word, other.slice(0, word.length + by)))
}

const maxCompletions = 500

/** Known words with these prefixes. */
export async function wordsWithPrefix(db: Db, beginnings: readonly string[]): Promise<Map<string, string[]>> {
  if (beginnings.length === 0) return new Map()
  const { rows } = await sql<{ beginning: string; word: string }>`
    select asked.beginning, begun.word
    from unnest(${beginnings}::text[]) as asked(beginning), lateral (
      select word from search_word
      where word collate "C" > asked.beginning and word collate "C" < asked.beginning || chr(1114111)
      order by word collate "C" limit ${maxCompletions}
    ) as begun`.execute(db)
  return new Map(beginnings.map((one) => [one, rows.flatMap(({ beginning, word }) => (beginning === one ? [word] : []))]))
}
