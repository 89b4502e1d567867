import { bytesOfDump } from '#importer/server/tables/dump/files.ts'
import { createFeed } from '#importer/server/tables/dump/input.ts'
import { checkEnding, checkVolumes, headBytes, readHead, type DumpHead } from '#importer/server/tables/dump/marks.ts'
import { charsetOfDump, readStatements, type Reading } from '#importer/server/tables/dump/statements.ts'
import type { Store } from '#importer/server/tables/dump/store.ts'

export type Loading = {
  store: Store
  wanted(table: string): boolean
  /** Of all texts, as the operator says. */
  charset: string | null
}
export type LoadedDump = { dialect: 'mysql' | 'postgres'; charset: string | null }

/** Loads all files of a dump into the store, or throws if one of them is cut or of an unknown form. */
export async function loadDump(files: readonly string[], { store, wanted, charset }: Loading): Promise<LoadedDump> {
  const heads: DumpHead[] = []
  const common = { store, wanted, charset, isCharsetGiven: charset !== null, databaseOf: new Map<string, string | null>() }
  const dump = { ...common, database: null }
  for (const path of files) {
    const { head, charset: found } = await loadFile(path, dump)
    heads.push(head)
    // Discuz! names it in each part, others in one file only.
    dump.charset = found
  }
  checkVolumes(heads)
  return { dialect: heads[0]?.dialect ?? 'mysql', charset: charsetOfDump(dump.charset) }
}

async function loadFile(path: string, dump: Omit<Reading, 'input' | 'lexis' | 'isDiscuz'>) {
  const feed = createFeed()
  let started: { head: DumpHead; reading: Reading; steps: Generator<undefined, void> } | null = null
  let tail: Buffer = Buffer.alloc(0)
  for await (const piece of bytesOfDump(path)) {
    tail = Buffer.concat([tail.subarray(-headBytes), piece.subarray(-headBytes)]).subarray(-headBytes)
    if (!feed.add(piece) || feed.input.bytes.length < headBytes) continue
    started ??= start(feed.input, dump)
    started.steps.next()
  }
  feed.end()
  started ??= start(feed.input, dump)
  started.steps.next()
  checkEnding(path, started.head, tail)
  return { head: started.head, charset: started.reading.charset }
}

const byteOrderMark = Buffer.from('\uFEFF')

function start(input: Reading['input'], dump: Omit<Reading, 'input' | 'lexis' | 'isDiscuz'>) {
  if (input.bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) input.position = byteOrderMark.length
  const head = readHead(input.bytes)
  const lexis: Reading['lexis'] = { dialect: head.dialect, escapes: 'bytes', delimiter: ';' }
  const reading: Reading = { ...dump, input, lexis, isDiscuz: head.isDiscuz }
  return { head, reading, steps: readStatements(reading) }
}
