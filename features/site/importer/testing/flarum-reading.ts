import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFlarum } from '#importer/server/flarum/reader.ts'
import type { Kind, Reader, SourceRows } from '#importer/server/source.ts'
import { openSqlite } from '#importer/server/tables/sqlite.ts'
import { rowsOf } from '#importer/testing/nodebb-reading.ts'
import { discussion, post, user } from '#importer/testing/old-flarum.ts'
import { writeSqlite, type OldRow, type OldTables } from '#importer/testing/old-tables.ts'

/** A reader of a Flarum of these tables, until the test ends. Where nothing else is given, it has one discussion with one answer. */
export async function aFlarum(tables: OldTables = {}): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'flarum-test-'))
  const source = await openSqlite(writeSqlite(join(folder, 'forum.sqlite'), { ...usual, ...tables }))
  const reader = await openFlarum(source, { bytesOf: () => Promise.resolve(null) })
  onTestFinished(async () => {
    await reader.close()
    rmSync(folder, { recursive: true })
  })
  return reader
}

/** All rows of a kind up to now. */
export async function rowsUntilNow<K extends Kind>(reader: Reader, kind: K): Promise<SourceRows[K][]> {
  return rowsOf(reader, kind, { upto: (await reader.marks())[kind] ?? '' })
}

const usual: OldTables = {
  settings: [{ key: 'forum_title', value: 'Teas' }],
  groups: [{ id: 1, name_singular: 'Admin', name_plural: 'Admins', is_hidden: 0 }],
  group_permission: permissions([2, 'viewForum'], [3, 'startDiscussion'], [3, 'discussion.reply']),
  users: [user(1, 'admin'), user(2, 'Ann')],
  group_user: [{ user_id: 1, group_id: 1 }],
  discussions: [discussion(1, 'One', 1)],
  posts: [post(1, 1, 1, '<t><p>opening</p></t>'), post(2, 1, 2, '<t><p>answer</p></t>')],
}

export function permissions(...all: readonly (readonly [group: number, permission: string])[]): OldRow[] {
  return all.map(([group_id, permission]) => ({ group_id, permission }))
}
