import { Worker } from 'node:worker_threads'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import type { wordActions } from '#sensitive-word/contract.ts'
import { compile as makeNow, type CompiledWords } from '#sensitive-word/server/matching/matcher.ts'

export type List = { id: string; name: string; action: (typeof wordActions)[number] }
export type WordIndex = {
  /** When each list was changed last. */
  version: string
  compiled: CompiledWords
  /** Indexed by the matcher's word number. */
  words: { ids: string[]; texts: string[]; lists: Int32Array }
  lists: List[]
}

/** The cache tag of the words. */
export const wordsTag = 'sensitiveWords'

const cached = cachedValue(wordsTag, load, { isEager: true })

/** All words of the enabled lists, compiled; cached until a list changes. */
export function wordIndex(db: Db): Promise<WordIndex> {
  return cached.of(db)
}

const wordsPerQuery = 10_000
// Below this number, a worker thread costs more than it saves.
const maxInThread = 3_000

async function load(db: Db, before: WordIndex | null): Promise<WordIndex> {
  const lists = await db
    .selectFrom('sensitive_list')
    .select(['id', 'name', 'action', 'changed_at'])
    .where('is_enabled', '=', true)
    .orderBy('id')
    .execute()
  // A change to a list or its words changes its time.
  const version = JSON.stringify(lists)
  return before?.version === version ? before : { version, ...(await buildIndex(db, lists)) }
}

async function buildIndex(db: Db, lists: readonly List[]): Promise<Omit<WordIndex, 'version'>> {
  const [ids, texts, listOf]: [string[], string[], number[]] = [[], [], []]
  for (const [index, list] of lists.entries()) {
    for (let rows = await wordsAfter(db, list.id, '0'); rows.length > 0; rows = await wordsAfter(db, list.id, ids.at(-1) ?? '0')) {
      for (const { id, word } of rows) {
        ids.push(id)
        texts.push(word)
        listOf.push(index)
      }
      if (rows.length < wordsPerQuery) break
    }
  }
  return { compiled: await compileWords(texts), words: { ids, texts, lists: Int32Array.from(listOf) }, lists: [...lists] }
}

function wordsAfter(db: Db, listId: string, after: string) {
  return db
    .selectFrom('sensitive_word')
    .select(['id', 'word'])
    .where('list_id', '=', listId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(wordsPerQuery)
    .execute()
}

async function compileWords(words: readonly string[]): Promise<CompiledWords> {
  return words.length <= maxInThread ? makeNow(words) : compileInWorker(words)
}

// Half a second of CPU, which page requests should not wait for.
function compileInWorker(words: readonly string[]): Promise<CompiledWords> {
  return new Promise((done, failed) => {
    const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), { workerData: words })
    worker.once('message', done)
    worker.once('error', failed)
    worker.once('exit', (code) => failed(new Error(`The words could not be made ready: ${code}`)))
  })
}
