import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { fileKeys, PictureGone } from '#file/contract.ts'
import { removeStrays, removeUnused } from '#file/server/cleaning.ts'
import { plain, sendFile, show } from '#file/testing/factories.ts'
import * as file from '#file/server/file.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import type { Storage } from '#file/server/storage-types.ts'

const forum = await aForum()
const { database } = forum
const folder = join(forum.dataDir, 'files')
const storage = diskStorage(folder)
const [mei, lin] = [await forum.member(), await forum.member()]

test('only a member’s own pictures may stand in their posts', async () => {
  const [hers, his] = [await upload(mei), await upload(lin)]
  const found = await file.picturesOf(database.reader, [hers, his, `f_${'A'.repeat(22)}`], mei.id)
  expect([...found]).toEqual([[hers, { src: `/file/${hers}`, width: 60, height: 40 }]])
})

test('a file unused for two hours is removed, with its smaller versions; a used one stays', async () => {
  const [used, old, fresh] = [await upload(mei), await upload(mei), await upload(mei)]
  await forum.app.inject(await seenBy(mei, old, 'w=240'))
  await show(database.app, used, mei.id)
  await age([used, old])
  expect(await removeUnused(database, storage)).toBe(1)
  expect(await statuses(used, fresh, old)).toEqual([200, 200, 404])
  expect((await forum.app.inject(`/file/${old}?w=240`)).statusCode).toBe(404)
})

test('a picture that was cleared away cannot be used any more, and the post is refused', async () => {
  const [removed, here] = [await upload(mei), await upload(mei)]
  await age([removed])
  await removeUnused(database, storage)
  await expect(inTransaction((tx) => file.markUsed(tx, [here, removed]))).rejects.toMatchObject({ kind: PictureGone })
  expect(
    await inTransaction((tx) => tx.selectFrom('file').select('unused_since').where('id', '=', here).executeTakeFirst()),
  ).not.toMatchObject({
    unused_since: null,
  })
})

test('clearing that dies half-way leaves nothing that the next runs do not find', async () => {
  const ids = [await upload(mei), await upload(mei)]
  await age(ids)
  const dying: Storage = { ...storage, remove: () => Promise.reject(new Error('no power')) }
  await expect(removeUnused(database, dying)).rejects.toThrow('no power')
  expect(await Promise.all(ids.map(lies))).toEqual([true, true])

  expect(await removeStrays(database, storage)).toBe(0)
  const tomorrow = new Date(Date.now() + 25 * 3600_000)
  expect(await removeStrays(database, storage, tomorrow)).toBe(2)
  expect(await Promise.all(ids.map(lies))).toEqual([false, false])
})

test('a write that fails at the end leaves no row and no half a file', async () => {
  const before = await count()
  const failing = inTransaction(async (tx) => {
    await file.add(tx, mei.id, await file.storePicture(tx, { bytes: await plain().png().toBuffer() }, { kilobytes: 100, sender: 'test' }))
    throw new Error('the line broke')
  })
  await expect(failing).rejects.toThrow('the line broke')
  expect(await count()).toBe(before)
  expect(await readdir(join(folder, 'unfinished'))).toEqual([])
})

test('an unfinished file of a crash is removed a day later', async () => {
  await mkdir(join(folder, 'unfinished'), { recursive: true })
  const left = join(folder, 'unfinished', 'half')
  await writeFile(left, 'half a picture')
  await removeStrays(database, storage)
  expect(await readdir(join(folder, 'unfinished'))).toEqual(['half'])
  const longAgo = new Date(Date.now() - 48 * 3600_000)
  await utimes(left, longAgo, longAgo)
  await removeStrays(database, storage)
  expect(await readdir(join(folder, 'unfinished'))).toEqual([])
})

async function upload(who: typeof mei): Promise<string> {
  const answer = await sendFile(who, '/file/picture', { bytes: await plain().png().toBuffer() })
  return answer.json().file
}

function inTransaction<T>(action: (tx: Db) => Promise<T>): Promise<T> {
  return database.app.transaction().execute(action)
}

async function lies(id: string): Promise<boolean> {
  const stored = await storage.get(`${id}.webp`)
  stored?.stream.destroy()
  return stored !== null
}

async function seenBy(who: typeof mei, id: string, size = ''): Promise<string> {
  const { keys } = await who.call(fileKeys, { files: [id] })
  return `/file/${id}?${size}&key=${keys[0]?.key ?? ''}`
}

async function age(ids: string[]): Promise<void> {
  await database.app
    .updateTable('file')
    .set({ unused_since: sql`unused_since - interval '3 hours'` })
    .where('id', 'in', ids)
    .execute()
}

async function statuses(...ids: string[]): Promise<number[]> {
  const answers = await Promise.all(ids.map(async (id) => forum.app.inject(await seenBy(mei, id))))
  return answers.map((answer) => answer.statusCode)
}

async function count(): Promise<number> {
  const { rows } = await database.app
    .selectFrom('file')
    .select((row) => row.fn.countAll<string>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}
