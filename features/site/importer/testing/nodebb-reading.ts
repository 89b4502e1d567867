import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openMongoDump } from '#importer/server/nodebb/mongo-dump.ts'
import { openNodebb, type NodebbOptions } from '#importer/server/nodebb/reader.ts'
import type { Kind, Range, Reader, SourceRows } from '#importer/server/source.ts'
import { writeDump, type Key } from '#importer/testing/nodebb-keys.ts'

/** A reader of a NodeBB with these keys, until the test ends. */
export async function aNodebb(
  keys: readonly Key[],
  options: Partial<NodebbOptions> = {},
  files = async (path: string): Promise<Buffer | null> => Buffer.from(path),
): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'nodebb-test-'))
  const store = await openMongoDump(writeDump(folder, [{ key: 'global', hash: { nextTid: 99, nextPid: 99 } }, ...keys]))
  rmSync(folder, { recursive: true })
  const reader = await openNodebb(store, files, { origins: ['https://tea.example/'], ...options })
  onTestFinished(() => reader.close())
  return reader
}

export function category(cid: string, fields: Record<string, unknown> = {}): Key[] {
  return [
    { key: 'categories:cid', sorted: { [cid]: Number(fields['order'] ?? cid) || 0 } },
    { key: `category:${cid}`, hash: { cid, name: `Category ${cid}`, parentCid: 0, ...fields } },
  ]
}

/** A topic with its posts, the first of which opens it. Times are a thousand for each id. */
export function topic(tid: string, pids: readonly string[], fields: Record<string, unknown> = {}): Key[] {
  const [mainPid = '0', ...others] = pids
  const set = /^\d+$/.test(tid) ? 'topics:tid' : 'topicsRemote:tid'
  return [
    { key: set, sorted: { [tid]: Number(tid) * 1_000 || 1 } },
    { key: `topic:${tid}`, hash: { tid, uid: 2, cid: 5, mainPid, title: `Topic ${tid}`, timestamp: 1_000, ...fields } },
    { key: `tid:${tid}:posts`, sorted: Object.fromEntries(others.map((pid, at) => [pid, 1_000 * (at + 1)])) },
    ...pids.map((pid): Key => ({ key: `post:${pid}`, hash: { pid, tid, uid: 2, content: `post ${pid}`, timestamp: 1_000 } })),
  ]
}

export function member(uid: string, fields: Record<string, unknown> = {}): Key[] {
  return [
    { key: 'users:joindate', sorted: { [uid]: Number(uid) * 1_000 || 1 } },
    { key: `user:${uid}`, hash: { uid, username: `Member ${uid}`, joindate: 1_000, ...fields } },
  ]
}

/** All rows of a kind. */
export async function rowsOf<K extends Kind>(reader: Reader, kind: K, range: Partial<Range> = {}): Promise<SourceRows[K][]> {
  const rows: SourceRows[K][] = []
  for await (const page of reader.rows[kind]({ after: null, since: null, upto: '', ...range })) rows.push(...page.rows)
  return rows
}

/** All rows of a kind, where each page is read after a restart. */
export async function rowsWithRestarts<K extends Kind>(reader: Reader, kind: K): Promise<SourceRows[K][]> {
  const rows: SourceRows[K][] = []
  for (let after: string | null = null; ;) {
    const page = await reader.rows[kind]({ after, since: null, upto: '' }).next()
    if (page.done) return rows
    rows.push(...page.value.rows)
    after = page.value.cursor
  }
}
