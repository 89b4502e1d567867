import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { countsTag } from '#search/server/postgres/shares.ts'
import { quoted } from '#search/server/postgres/vector.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { tokensOf, type Token } from '#search/server/text/tokens.ts'
import type { Kind } from '#kind/contract.ts'

type Written = { id: string; tokens: readonly Token[] }

/** Enters what these posts say, whatever became of them, and takes out those that say nothing any more. */
export async function writeAny(tx: Db, kind: Kind, posts: readonly Written[], gone: readonly string[]): Promise<void> {
  const before = await wordsIn(tx, kind, [...gone, ...posts.map(({ id }) => id)])
  if (gone.length > 0) await sql`delete from search_any where kind = ${kind} and source_id = any(${gone}::bigint[])`.execute(tx)
  const said = posts.map(({ id, tokens }) => ({ id, words: [...new Set(tokens.map(spelling))] }))
  if (said.length > 0)
    await sql`
      insert into search_any (kind, source_id, words)
      select ${kind}, source_id, words::tsvector
      from unnest(${said.map(({ id }) => id)}::bigint[], ${said.map(({ words }) => words.map(quoted).join(' '))}::text[]) as entered(source_id, words)
      on conflict (kind, source_id) do update set words = excluded.words, written_at = now()`.execute(tx)
  const now = new Set(said.flatMap(({ words }) => words))
  await forgetUnsaid(
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

/** What nobody says any more is no spelling to propose, and how common it was is nobody's business: it may have been erased for good. */
async function forgetUnsaid(tx: Db, words: readonly string[]): Promise<void> {
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

/** Takes out what was not entered since then. */
export async function sweepAny(tx: Db, since: Date): Promise<void> {
  await tx.deleteFrom('search_any').where('written_at', '<', since).execute()
}

// More are not entered only while all is entered anew; those are found when they are.
const mostNew = 2_000

/**
 * The ids of posts that may say this, whatever became of them, to be looked at one by one: those with each of its words, and those that
 * changed and are not entered yet. The last word may go on. Null where there is no word to look for.
 */
export function maySay(kind: Kind, text: string): RawBuilder<string> | null {
  const match = matching(kind, text)
  return (
    match &&
    sql<string>`
      select source_id ${match}
      union all
      select source_id from (select source_id from search_change where kind = ${kind} order by number desc limit ${mostNew}) as changed`
  )
}

const mostByWords = 10_000

/** Whether so many may say this that whoever reads the newest posts one after the other has soon found enough. */
export async function isCommon(db: Db, kind: Kind, text: string): Promise<boolean> {
  const match = matching(kind, text)
  if (!match) return true
  const { rows } = await sql`select ${match} offset ${mostByWords} limit 1`.execute(db)
  return rows.length > 0
}

function matching(kind: Kind, text: string): RawBuilder<unknown> | null {
  const tokens = tokensOf(text)
  // The last character alone says no more than the pair before it.
  const needed = tokens.filter(({ end }, index) => end !== tokens[index - 1]?.end)
  if (needed.length === 0) return null
  const query = needed.map((token, index) => quoted(spelling(token)) + (goesOn(token, index === needed.length - 1) ? ':*' : ''))
  return sql`from search_any where kind = ${kind} and words @@ ${query.join(' & ')}::tsquery`
}

// Where words are spaced the word itself, and not its stem.
function spelling({ word, text }: Token): string {
  return word ?? text
}

// One character alone stands for each two that begin with it.
function goesOn({ word, text }: Token, isLast: boolean): boolean {
  return word === null ? [...text].length === 1 : isLast
}
