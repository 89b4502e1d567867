import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { addFirstStaff } from '#database/seed.ts'
import { exportCommunity } from '#exporter/server/exporter.ts'
import * as file from '#file/server/file.ts'
import * as importer from '#importer/server/importer.ts'

export type StoredForum = Pick<TestDatabase, 'database' | 'ownerUrl'> & { dataDir: string }
export type Lines = Record<importer.Kind, Record<string, unknown>[]>

let folder: string | null = null
let exports = 0

/** The folder of this test file. Files share the module, so each makes its own and removes it. */
function ownFolder(): string {
  if (folder !== null) return folder
  const made = mkdtempSync(join(tmpdir(), 'teahouse-export-'))
  folder = made
  afterFile(async () => {
    folder = null
    rmSync(made, { recursive: true, force: true })
  })
  return made
}

/** A forum with nothing but its first member of staff, who speaks as a member of this id. */
export async function aNewForum({ officialId = 1 } = {}): Promise<StoredForum & { close(): Promise<void> }> {
  const dataDir = mkdtempSync(join(ownFolder(), 'data-'))
  const forum = await freshDatabase()
  await asOwner(forum, (tx) => sql`select setval(pg_get_serial_sequence('member', 'id'), ${officialId}, false)`.execute(tx))
  await addFirstStaff(forum.database)
  return { ...forum, dataDir }
}

/** Does what the program may not. */
export function asOwner<T>(forum: Pick<StoredForum, 'database' | 'ownerUrl'>, work: (db: Db) => Promise<T>): Promise<T> {
  return importer.withOwner(forum, ({ app }) => work(app))
}

/** Exports a forum into a folder of its own. */
export async function anExport(
  forum: StoredForum,
  secrets: readonly importer.SecretName[] = [],
  address: string | null = null,
): Promise<string> {
  file.openStorage({ dataDir: forum.dataDir, store: null })
  const to = join(ownFolder(), String(++exports))
  await exportCommunity({ ...forum, folder: to, secrets: new Set(secrets), address, report: () => undefined })
  return to
}

/** Brings an export into a forum. */
export async function bring(from: string, forum: StoredForum): Promise<void> {
  file.openStorage({ dataDir: forum.dataDir, store: null })
  const { open, targetOf } = importer.importerOf('teahouse')
  const reader = await open({ from, files: null, password: '', prefix: undefined, charset: undefined, origin: undefined })
  const { mapping } = await importer.checkImport(forum.database, reader)
  await importer.runImport({ ...forum, reader, targetOf, mapping, report: () => undefined })
  await reader.close()
}

/** The rows of an export, without manifests and ends. */
export async function linesIn(from: string): Promise<Lines> {
  const entries = await Promise.all(
    importer.kinds.map(async (kind) => {
      const text = await readFile(join(from, importer.fileNameOf(kind)), 'utf8')
      const lines = text.trimEnd().split('\n')
      return [kind, lines.slice(1, -1).map((line): Record<string, unknown> => JSON.parse(line))]
    }),
  )
  return Object.fromEntries(entries) as Lines
}

type Ids = ReadonlyMap<string, string>

/** The ids in a forum of old ids, by kind and old id. */
async function idsIn({ database }: StoredForum): Promise<Ids> {
  const rows = await database.app.selectFrom('import_row').select(['kind', 'old_id', 'new_id']).execute()
  return new Map(rows.map(({ kind, old_id, new_id }) => [`${kind} ${old_id}`, new_id]))
}

const kindOfField: Readonly<Record<string, string>> = {
  memberId: 'member',
  authorId: 'member',
  ownerId: 'member',
  readerIds: 'member',
  goneFor: 'member',
  threadId: 'thread',
  tagId: 'tag',
  furtherTagIds: 'tag',
  parentId: 'tag',
  postId: 'post',
  acceptedId: 'post',
  answersId: 'post',
  belowId: 'post',
  groups: 'group',
}
const kindOfRows = {
  groups: 'group',
  tags: 'tag',
  members: 'member',
  files: 'file',
  threads: 'thread',
  comments: 'post',
  messages: 'message',
}

/** The rows of an export as this forum should say them, into which it was brought. */
export async function hereOf(forum: StoredForum, lines: Lines): Promise<Lines> {
  const ids = await idsIn(forum)
  const entries = importer.kinds.map((kind) => [kind, lines[kind].map((row) => mapped(row, ids, Object(kindOfRows)[kind] ?? null))])
  return Object.fromEntries(entries) as Lines
}

function mapped(row: Record<string, unknown>, ids: Ids, kind: string | null): Record<string, unknown> {
  const idOf = typeof row['of'] === 'string' ? row['of'] : kind
  const entries = Object.entries(row).map(([name, value]) => {
    if (name === 'opening') return [name, mapped(value as Record<string, unknown>, ids, 'post')]
    if (name === 'document')
      return [
        name,
        JSON.parse(JSON.stringify(value).replaceAll(/import:member\/(\d+)/g, (_, id) => `import:member/${newIdOf(ids, 'member', id)}`)),
      ]
    return [name, mappedValue(value, ids, name === 'id' ? idOf : (kindOfField[name] ?? null), name)]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

function mappedValue(value: unknown, ids: Ids, kind: string | null, name: string): unknown {
  if (typeof value === 'string') return kind === null ? value : newIdOf(ids, kind, value)
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => mappedValue(one, ids, kind, name))
    return name === 'furtherTagIds' ? all.toSorted((one, other) => Number(one) - Number(other)) : all
  }
  if (typeof value === 'object' && value !== null) return mapped(value as Record<string, unknown>, ids, name === 'groups' ? 'group' : null)
  return value
}

function newIdOf(ids: Ids, kind: string, id: string): string {
  if (kind !== 'post') return ids.get(`${kind} ${id}`) ?? id
  const place = { t: 'opening', c: 'comment', r: 'reply' }[id.slice(0, 1)] ?? ''
  return `${id.slice(0, 1)}${ids.get(`${place} ${id}`) ?? id}`
}

/** The rows of an export of this forum, without those of accounts that were here, or that the import made for nobody. */
export async function newcomersOf({ database }: StoredForum, from: string): Promise<Lines> {
  const lines = await linesIn(from)
  const rows = await database.app.selectFrom('import_row').select('new_id').where('kind', '=', 'member').execute()
  const came = new Set(rows.map(({ new_id }) => new_id))
  return { ...lines, members: lines.members.filter(({ id }) => came.has(String(id))) }
}

/** The rows that only one of two exports has, in whatever order they stand. */
export function differences(one: Lines, other: Lines): string[] {
  return importer.kinds.flatMap((kind) => {
    const [here, there] = [one, other].map((lines) => new Set(lines[kind].map((row) => JSON.stringify(row))))
    const only = (own: ReadonlySet<string> = new Set(), others: ReadonlySet<string> = new Set()) =>
      [...own].filter((row) => !others.has(row))
    return [...only(here, there).map((row) => `+ ${kind} ${row}`), ...only(there, here).map((row) => `- ${kind} ${row}`)]
  })
}

/** The same without the members that the site speaks as, who are those of each forum. */
export function comparable({ members, ...others }: Lines): Lines {
  return { ...others, members: members.filter(({ isOfficial }) => !isOfficial) }
}
