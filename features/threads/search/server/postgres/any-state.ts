import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { countsTag } from '#search/server/postgres/shares.ts'
import { quoted } from '#search/server/postgres/vector.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { tokensOf, type Token } from '#search/server/text/tokens.ts'
import type { Kind } from '#kind/contract.ts'

type PostTokens = { id: string; tokens: readonly Token[] }

/** Indexes the words of posts in any state for staff, and deletes those without any. */
export async function writeAny(tx: Db, kind: Kind, posts: readonly PostTokens[], removedIds: readonly string[]): Promise<void> {
  const before = await wordsIn(tx, kind, [...removedIds, ...posts.map(({ id }) => id)])
  if (removedIds.length > 0) await sql`delete from search_any where kind = ${kind} and source_id = any(${removedIds}::bigint[])`.execute(tx)
  const entries = posts.map(({ id, tokens }) => ({ id, words: [...new Set(tokens.map(lexemeOf))] }))
  if (entries.length > 0)
    await sql`
      insert into search_any (kind, source_id, words)
      select ${kind}, source_id, words::tsvector
      from unnest(${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ words }) => words.map(quoted).join(' '))}::text[]) as entered(source_id, words)
      on conflict (kind, source_id) do update set words = excluded.words, written_at = now()`.execute(tx)
  const now = new Set(entries.flatMap(({ words }) => words))
  await deleteUnusedWords(
    tx,
    before.filter((word) => !now.has(word)),
  )
}

async function wordsIn(tx: Db, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct unnest(tsvector_to_array(words)) as word from search_any where kind = ${kind} and source_id = any(${ids}::bigint[])`.execute(
    tx,
  )
  return rows.map(({ word }) => word)
}

/** Words that no longer occur are deleted from spelling suggestions and statistics, since their content may have been erased. */
async function deleteUnusedWords(tx: Db, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as word where not exists (select from search_any where words @@ quote_literal(word)::tsquery)`.execute(
    tx,
  )
  const unsaid = rows.map(({ word }) => word)
  if (unsaid.length === 0) return
  await sql`delete from search_word where word = any(${unsaid}::text[])`.execute(tx)
  await sql`delete from search_share where token = any(${[...unsaid, ...unsaid.map(stemOf)]}::text[])`.execute(tx)
  invalidate(tx, countsTag)
}

/** Deletes rows that were not written since then. */
export async function sweepAny(tx: Db, since: Date): Promise<void> {
  await tx.deleteFrom('search_any').where('written_at', '<', since).execute()
}

// There are more unindexed posts only during a rebuild, which covers them.
const maxUnindexed = 2_000

/**
 * The ids of posts in any state that may contain this text, as candidates: those with each of its words, and those with unindexed
 * changes. The last word may be a prefix. Null for text without words.
 */
export function candidateIds(kind: Kind, text: string): RawBuilder<string> | null {
  const match = matching(kind, text)
  return (
    match &&
    sql<string>`
      select source_id ${match}
      union all
      select source_id from (select source_id from search_change where kind = ${kind} order by number desc limit ${maxUnindexed}) as changed`
  )
}

const maxByWords = 10_000

/** Whether so many posts may match that a scan of the newest posts finds enough of them soon. */
export async function isCommon(db: Db, kind: Kind, text: string): Promise<boolean> {
  const match = matching(kind, text)
  if (!match) return true
  const { rows } = await sql`select ${match} offset ${maxByWords} limit 1`.execute(db)
  return rows.length > 0
}

function matching(kind: Kind, text: string): RawBuilder<unknown> | null {
  const tokens = tokensOf(text)
  // The last character is part of the bigram before it.
  const needed = tokens.filter(({ end }, index) => end !== tokens[index - 1]?.end)
  if (needed.length === 0) return null
  const query = needed.map((token, index) => quoted(lexemeOf(token)) + (isPrefix(token, index === needed.length - 1) ? ':*' : ''))
  return sql`from search_any where kind = ${kind} and words @@ ${query.join(' & ')}::tsquery`
}

// The word itself where words are spaced, not its stem.
function lexemeOf({ word, text }: Token): string {
  return word ?? text
}

// A single character is a prefix of bigrams.
function isPrefix({ word, text }: Token, isLast: boolean): boolean {
  return word === null ? [...text].length === 1 : isLast
}
