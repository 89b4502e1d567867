import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { withoutVariants } from '#base/chinese/variants.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { textIn } from '#sensitive-word/server/matching/in-document.ts'
import { compile, find, keyOf } from '#sensitive-word/server/matching/matcher.ts'

/** A word, and another text that it matches most often. */
export type BroadWord = { word: string; as: string }

const postsRead = 500
const textRead = 5_000
const maxTimes = 10
// Fewer posts are no sample.
const minPosts = 3
const wordsPerCompilation = 2_000
const postsPerTurn = 20

/** The words that match in more than ten times as many of the newest posts as they are written in, as they were typed. */
export async function broadWords(db: Db, words: readonly string[]): Promise<BroadWord[]> {
  // A word of letters alone matches itself, in other dress.
  const dressed = words.filter((word) => keyOf(word) !== plain(word))
  if (dressed.length === 0) return []
  const texts = await newestTexts(db)
  const broad: BroadWord[] = []
  for (let from = 0; from < dressed.length; from += wordsPerCompilation)
    broad.push(...(await broadAmong(dressed.slice(from, from + wordsPerCompilation), texts)))
  return broad
}

async function broadAmong(words: readonly string[], texts: readonly string[]): Promise<BroadWord[]> {
  const compiled = compile(words)
  const written = words.map(plain)
  // For each word the number of posts by the text that it matches.
  const matches = words.map(() => new Map<string, number>())
  const typed = words.map(() => 0)
  const caught = words.map(() => 0)
  for (const [index, text] of texts.entries()) {
    if (index % postsPerTurn === postsPerTurn - 1) await breathe()
    const found = new Map(find(compiled, text).map(({ word, from, to }) => [word, text.slice(from, to)]))
    const flat = found.size > 0 ? plain(text) : ''
    for (const [word, as] of found) {
      caught[word] = (caught[word] ?? 0) + 1
      if (flat.includes(written[word] ?? '')) typed[word] = (typed[word] ?? 0) + 1
      else matches[word]?.set(as, (matches[word].get(as) ?? 0) + 1)
    }
  }
  return words.flatMap((word, at) => {
    const isBroad = (caught[at] ?? 0) >= minPosts && (caught[at] ?? 0) > maxTimes * (typed[at] ?? 0)
    const [as] = [...(matches[at] ?? [])].toSorted(([, one], [, other]) => other - one)[0] ?? ['']
    return isBroad ? [{ word, as }] : []
  })
}

async function newestTexts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ title: string | null; body: Doc }>`
    (select title, body from topic where status = 'published' order by id desc limit ${postsRead / 2})
    union all
    (select null, body from comment where status = 'published' order by id desc limit ${postsRead / 2})`.execute(db)
  return rows.map(({ title, body }) => `${title ?? ''}\n${textIn(body)}`.slice(0, textRead))
}

function plain(text: string): string {
  return withoutVariants(text.normalize('NFKC').toLowerCase())
}
