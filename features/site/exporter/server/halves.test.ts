import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDatabase } from '#base/testing/sample.ts'
import { exportCommunity } from '#exporter/server/exporter.ts'
import { aNewForum, anExport, bring, comparable, differences, linesIn, newcomersOf } from '#base/testing/exports.ts'
import { openStorage } from '#file/server/storage.ts'
import { checkImport, importerOf, kinds, runImport, undoImport } from '#importer/server/importer.ts'
import { program, textOf } from '../../../../tools/repository.ts'

const sample = await sampleDatabase()
const forum = await aNewForum()
afterAll(() => Promise.all([sample.close(), forum.close()]))

let whole: string
beforeAll(async () => {
  whole = await anExport(sample, ['passwords', 'messages', 'hidden'])
})

/** A copy of an export that something has befallen. */
async function damaged(change: (folder: string) => Promise<void>): Promise<string> {
  const copy = join(dirname(whole), 'damaged')
  await rm(copy, { recursive: true, force: true })
  await cp(whole, copy, { recursive: true })
  await change(copy)
  return copy
}

async function rewrite(folder: string, name: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(folder, name), change(await readFile(join(folder, name), 'utf8')))
}

const rowsHere = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from import`.execute(forum.database.app)).rows[0]?.count

test.each(kinds)('an export whose %s are cut is refused, and nothing is written', async (kind) => {
  const name = `${kind}.jsonl`
  const cuts = [
    (text: string) => text.slice(0, -1),
    (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1),
    (text: string) => text.slice(0, text.length / 2),
    () => '',
    (text: string) => `${text}{}\n`,
  ]
  for (const cut of cuts) {
    const folder = await damaged((copy) => rewrite(copy, name, cut))
    await expect(bring(folder, forum)).rejects.toThrow(/is not whole\. .* Nothing of it was imported\.$/)
  }
  const without = await damaged((copy) => rm(join(copy, name)))
  await expect(bring(without, forum)).rejects.toThrow(`It has no ${name}`)
  expect(await rowsHere()).toBe(0)
})

test('an export with a row that was changed by hand, files of another, or without a picture is refused', async () => {
  const changed = await damaged((copy) => rewrite(copy, 'threads.jsonl', (text) => text.replace('"pin":0', '"pin":"0"')))
  await expect(bring(changed, forum)).rejects.toThrow(/Line \d+ of threads\.jsonl is not as it was written: pin: /)
  const hostile = await damaged((copy) => rewrite(copy, 'threads.jsonl', (text) => text.replace('"type":"paragraph"', '"type":"script"')))
  await expect(bring(hostile, forum)).rejects.toThrow('is no document of a post')
  const outside = await damaged((copy) => rewrite(copy, 'files.jsonl', (text) => text.replace('"path":"files/', '"path":"files/../')))
  await expect(bring(outside, forum)).rejects.toThrow('files.jsonl is not as it was written: path: ')
  const other = await anExport(sample)
  const mixed = await damaged((copy) => cp(join(other, 'members.jsonl'), join(copy, 'members.jsonl')))
  await expect(bring(mixed, forum)).rejects.toThrow('Its files are of several exports')
  const path = (await linesIn(whole)).files.map((row) => String(row['path']))[0] ?? ''
  const picture = await damaged((copy) => rm(join(copy, path)))
  await expect(bring(picture, forum)).rejects.toThrow(`It has no ${path}`)
  const newer = await damaged((copy) => rewrite(copy, 'groups.jsonl', (text) => text.replace('"format":1', '"format":2')))
  await expect(bring(newer, forum)).rejects.toThrow('is of a newer Teahouse')
  expect(await rowsHere()).toBe(0)
})

test('a folder that is there already is not written to', async () => {
  await expect(exportCommunity({ ...sample, folder: whole, secrets: new Set(), address: null, report: () => undefined })).rejects.toThrow(
    'is there already. Name a new folder.',
  )
})

test('an import that ends anywhere goes on there, with the same export alone', async () => {
  const target = await aNewForum({ officialId: 1_000 })
  openStorage({ dataDir: target.dataDir, store: null })
  const { open, targetOf } = importerOf('teahouse')
  const reader = await open({ from: whole, files: null, password: '', prefix: undefined, charset: undefined, origin: undefined })
  const { mapping } = await checkImport(target.database, reader)
  const { comments } = reader.rows
  async function* untilCut(range: Parameters<typeof comments>[0]) {
    let pages = 0
    for await (const page of comments(range)) {
      if (++pages > 2) throw new Error('cut')
      yield page
    }
  }
  const cut = { ...reader, rows: { ...reader.rows, comments: untilCut } }
  await expect(runImport({ ...target, reader: cut, targetOf, mapping, report: () => undefined })).rejects.toThrow('cut')
  await expect(bring(await anExport(sample), target)).rejects.toThrow(/The import stopped in an export of .* undo it and begin anew/)
  await bring(whole, target)
  const after = await newcomersOf(target, await anExport(target, ['passwords', 'messages', 'hidden']))
  expect(differences(comparable(after), comparable(await linesIn(whole)))).toEqual([])
  await bring(whole, target)
  const again = await newcomersOf(target, await anExport(target, ['passwords', 'messages', 'hidden']))
  expect(differences(again, after)).toEqual([])
  await undoImport(target, 'teahouse')
  const left = await linesIn(await anExport(target, ['messages']))
  expect(kinds.filter((kind) => left[kind].length > 0 && !['groups', 'members'].includes(kind))).toEqual([])
  await target.close()
})

test('no part of the program but the operator’s tool exports a community', () => {
  const exporting = program().filter((path) => !path.startsWith('features/site/exporter/') && /'#exporter\//.test(textOf(path)))
  expect(exporting).toEqual(['apps/server/commands/export.ts'])
})
