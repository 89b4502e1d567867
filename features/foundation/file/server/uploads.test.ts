import { createHash, randomBytes } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#file/contract.ts'
import { deleteExpiredUploads, removeStrays, removeUnused } from '#file/server/cleaning.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import { plain, sendFile, show } from '#file/testing/factories.ts'
import { moveHere, storage as storageOf } from '#file/server/storage.ts'
import { attachmentName, incomingName } from '#file/server/storage-types.ts'
import en from '#file/words/en.json' with { type: 'json' }
import { banMember, liftBan, memberView } from '#member/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStore } from '../../../../tools/s3-store.ts'

const server = await aStore()
afterAll(() => server.close())
afterEach(() => {
  server.fault = () => null
})
const forum = await aForum({ store: server.store })
const { database, app } = forum
let mei = await forum.member()
beforeEach(async () => {
  mei = await forum.member()
})

type Admission = { file: string; url: string; headers: Record<string, string> }

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(40_000)])
const systems = [
  ['on disk', 0],
  ['in a store', 20],
] as const

describe.each(systems)('an uploaded file %s', (_, system) => {
  beforeEach(() => set('fileStorageSystem', system))

  test('comes in three steps, and is downloaded under its name by readers of its post', async () => {
    const file = await uploadFile('月度报告 (1).pdf', pdf)
    const sha256 = createHash('sha256').update(pdf).digest('hex')
    const { attachment, picture } = await mei.call(contract.finishUpload, { file, sha256 })
    expect([attachment, picture]).toEqual([{ file, name: '月度报告 (1).pdf', bytes: pdf.length }, null])
    expect((await app.inject(`/file/${file}`)).statusCode).toBe(404)
    await show(database.app, file, mei.id)
    const answer = await app.inject(`/file/${file}`)
    expect(answer.rawPayload.equals(pdf)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, s-maxage=60',
      'content-disposition': `attachment; filename="_(1).pdf"; filename*=UTF-8''${encodeURIComponent('月度报告')}%20%281%29.pdf`,
    })
    expect([await lies(incomingName(file)), await rows('upload', file)]).toEqual([false, []])
  })

  test('is sent in part for a range request', async () => {
    const file = await uploadFile('parts.pdf', pdf)
    await mei.call(contract.finishUpload, { file })
    await show(database.app, file, mei.id)
    for (const [range, from, to] of [
      ['bytes=10-19', 10, 20],
      ['bytes=39999-', 39_999, pdf.length],
      ['bytes=-5', pdf.length - 5, pdf.length],
      ['bytes=0-99999999', 0, pdf.length],
    ] as const) {
      const answer = await app.inject({ url: `/file/${file}`, headers: { range } })
      expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${to - 1}/${pdf.length}`])
      expect(answer.rawPayload.equals(pdf.subarray(from, to))).toBe(true)
    }
    expect((await app.inject({ url: `/file/${file}`, headers: { range: 'bytes=99999999-' } })).statusCode).toBe(416)
    const { etag } = (await app.inject(`/file/${file}`)).headers
    for (const [had, status] of [
      [etag, 206],
      ['"another"', 200],
      ['Sun, 22 Nov 2026 10:00:00 GMT', 200],
    ] as const)
      expect((await app.inject({ url: `/file/${file}`, headers: { range: 'bytes=1-2', 'if-range': had } })).statusCode).toBe(status)
    for (const range of ['bytes=1-2,4-5', 'lines=1-2', 'bytes=x-', 'bytes=-'])
      expect((await app.inject({ url: `/file/${file}`, headers: { range } })).statusCode, range).toBe(200)
  })

  test('is finished once, whoever asks again and however often at once', async () => {
    const file = await uploadFile('once.pdf', pdf)
    const answers = await Promise.all([1, 2, 3].map(() => mei.tryCall(contract.finishUpload, { file })))
    for (const { status } of answers) expect([200, 429]).toContain(status)
    expect((await mei.call(contract.finishUpload, { file })).attachment).toMatchObject({ file })
    expect(await lies(attachmentName(file))).toBe(true)
  })

  test('is refused if its content differs from its name, and nothing of it stays', async () => {
    const program = Buffer.from('MZ\x90\x00\x03 a program')
    for (const [name, bytes] of [
      ['tea.pdf', program],
      ['tea.zip', program],
      ['tea.docx', pdf],
      ['tea.txt', Buffer.from('text\0and no text')],
      ['tea.epub', Buffer.from('PK\x03\x04 something else zipped')],
      ['tea.mp3', Buffer.from('<html><script>alert(1)</script>')],
    ] as const) {
      const file = await uploadFile(name, bytes)
      expect(await mei.isRefused(contract.finishUpload, { file }, contract.AttachmentNotAsNamed), name).toBe(true)
      expect([await lies(incomingName(file)), await lies(attachmentName(file)), await rows('upload', file)]).toEqual([false, false, []])
    }
  })

  test('is refused if it arrives changed, or not at all', async () => {
    const other = await uploadFile('other.pdf', pdf)
    const sha256 = createHash('sha256').update('another file').digest('hex')
    expect(await mei.isRefused(contract.finishUpload, { file: other, sha256 }, contract.UploadBroken)).toBe(true)
    const { file } = await begin('never.pdf', pdf)
    expect(await mei.isRefused(contract.finishUpload, { file }, contract.UploadBroken)).toBe(true)
  })

  test('has the announced length, or is refused', async () => {
    const admission = await begin('long.pdf', pdf)
    for (const bytes of [pdf.subarray(1), Buffer.concat([pdf, pdf])]) expect(await bring(admission, bytes)).toBeGreaterThanOrEqual(400)
    expect(await lies(incomingName(admission.file))).toBe(false)
  })

  test('can be sent to its own address only', async () => {
    const [one, other] = [await begin('one.pdf', pdf), await begin('other.pdf', pdf)]
    expect(await bring({ ...one, url: one.url.replaceAll(one.file, other.file) }, pdf)).toBeGreaterThanOrEqual(400)
    expect(await lies(incomingName(other.file))).toBe(false)
  })

  test('of another member cannot be finished', async () => {
    const file = await uploadFile('mine.pdf', pdf)
    const tom = await forum.member()
    expect(await tom.isRefused(contract.finishUpload, { file }, contract.UploadGone)).toBe(true)
    expect((await forum.visitor().tryCall(contract.finishUpload, { file })).status).toBe(401)
    expect((await mei.call(contract.finishUpload, { file })).attachment).toMatchObject({ file })
  })
})

describe.each(systems)('storage %s', (_, system) => {
  beforeEach(() => set('fileStorageSystem', system))

  test('an uploaded picture is drawn anew, and the original removed', async () => {
    const photo = await plain({ width: 70, height: 30 })
      .withExif({ IFD0: { Copyright: 'a-secret-name' } })
      .jpeg()
      .toBuffer()
    const file = await uploadFile('photo.jpg', photo, 'picture')
    const { picture } = await mei.call(contract.finishUpload, { file })
    expect(picture).toMatchObject({ file, width: 70, height: 30 })
    const { rawPayload } = await app.inject(picture?.src ?? '')
    expect([(await sharp(rawPayload).metadata()).format, rawPayload.includes('a-secret-name')]).toEqual(['webp', false])
    expect([await lies(incomingName(file)), await lies(`${file}.webp`)]).toEqual([false, true])

    const bad = await uploadFile('page.jpg', Buffer.from('<svg onload="alert(1)">'), 'picture')
    expect(await mei.isRefused(contract.finishUpload, { file: bad }, contract.PictureOfUnknownKind)).toBe(true)
    expect([await lies(incomingName(bad)), await lies(`${bad}.webp`)]).toEqual([false, false])
  })

  test('an unfinished upload is dropped after an hour, with its bytes', async () => {
    const [old, fresh] = [await uploadFile('old.pdf', pdf), await uploadFile('fresh.pdf', pdf)]
    await database.app
      .updateTable('upload')
      .set({ begun_at: sql`now() - interval '2 hours'` })
      .where('id', '=', old)
      .execute()
    expect(await deleteExpiredUploads(database, await storageOf(database.reader))).toBe(1)
    expect([await lies(incomingName(old)), await lies(incomingName(fresh))]).toEqual([false, true])
    expect(await mei.isRefused(contract.finishUpload, { file: old }, contract.UploadGone)).toBe(true)
  })

  test('an unused file is removed after the set time, with all its versions', async () => {
    const [pot, photo] = [await uploadFile('pot.pdf', pdf), await uploadFile('photo.png', await plain().png().toBuffer(), 'picture')]
    for (const file of [pot, photo]) await mei.call(contract.finishUpload, { file })
    const storage = await storageOf(database.reader)
    for (const end of ['480.webp', '480.avif']) await storage.put(`${photo}.${end}`, Buffer.from('x'))
    await set('unusedFileMinutes', 30)
    await database.app
      .updateTable('file')
      .set({ unused_since: sql`now() - interval '20 minutes'` })
      .where('id', 'in', [pot, photo])
      .execute()
    await removeUnused(database, storage)
    expect([await lies(attachmentName(pot)), await lies(`${photo}.480.avif`)]).toEqual([true, true])
    await set('unusedFileMinutes', 10)
    await removeUnused(database, storage)
    for (const name of [attachmentName(pot), `${photo}.webp`, `${photo}.480.webp`, `${photo}.480.avif`])
      expect(await lies(name), name).toBe(false)
    await set('unusedFileMinutes', 120)
  })

  test('a file without a row is removed a day later, and an upload in progress is left alone', async () => {
    const storage = await storageOf(database.reader)
    const onItsWay = await uploadFile('on-its-way.pdf', pdf)
    const stray = `f_${randomBytes(16).toString('base64url')}`
    const finished = await uploadFile('finished.pdf', pdf)
    await mei.call(contract.finishUpload, { file: finished })
    for (const name of [`${stray}.webp`, incomingName(stray), incomingName(finished)]) await storage.put(name, Buffer.from('x'))
    await removeStrays(database, storage, new Date(Date.now() + 25 * 3600_000))
    const left = await Promise.all([`${stray}.webp`, incomingName(stray), incomingName(finished)].map(lies))
    expect(left).toEqual([false, false, false])
    expect([await lies(incomingName(onItsWay)), await lies(attachmentName(finished))]).toEqual([true, true])
  })
})

test('pages may bring files to the store, and fetch nothing from it', async () => {
  const policy = String((await app.inject('/index')).headers['content-security-policy'])
  const { url, bucket } = server.store
  expect(policy).toContain(`connect-src 'self' ${url} ${url.replace('//', `//${bucket}.`)};`)
  expect(policy).toContain("img-src 'self' data: blob:;")
})

test('files on disk are found there after a change to a store, and the other way round', async () => {
  for (const [then, now] of [
    [0, 20],
    [20, 0],
  ] as const) {
    await set('fileStorageSystem', then)
    const { src } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
    await set('fileStorageSystem', now)
    expect((await app.inject(src)).statusCode).toBe(200)
    expect((await app.inject(src.replace('?', '?w=240&'))).statusCode).toBe(200)
  }
})

test('files elsewhere are moved to the present storage, and are there as before', async () => {
  await set('fileStorageSystem', 0)
  const { src } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
  const before = await app.inject(src)
  await set('fileStorageSystem', 20)
  expect(await moveHere(database.reader)).toBeGreaterThan(0)
  expect(await moveHere(database.reader)).toBe(0)
  const disk = diskStorage(join(forum.dataDir, 'files'))
  for await (const name of disk.list(new Date())) throw new Error(`${name} was left behind`)
  expect((await app.inject(src)).rawPayload.equals(before.rawPayload)).toBe(true)
})

test('an interrupted move loses nothing, and is resumed when it is asked again', async () => {
  await set('fileStorageSystem', 0)
  const sources: string[] = []
  for (let at = 0; at < 3; at++) sources.push((await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json().src)
  await set('fileStorageSystem', 20)
  let puts = 0
  server.fault = (request) => (request.startsWith('PUT') && ++puts > 1 ? 'cut' : null)
  await expect(moveHere(database.reader)).rejects.toThrow('fetch failed')
  server.fault = () => null
  for (const src of sources) expect((await app.inject(src)).statusCode).toBe(200)
  expect(await moveHere(database.reader)).toBe(2)
  for (const src of sources) expect((await app.inject(src)).statusCode).toBe(200)
})

describe('while the store is in trouble', () => {
  beforeEach(() => set('fileStorageSystem', 20))
  const rows = async () => (await database.app.selectFrom('file').select('id').execute()).length

  test.each(['fails', 'cut'] as const)(
    'an upload is refused in words (%s), leaves no row, and succeeds when tried again',
    async (fault) => {
      const bytes = await plain().png().toBuffer()
      const before = await rows()
      server.fault = (request) => (request.startsWith('PUT') ? fault : null)
      const refused = await sendFile(mei, '/file/picture', { bytes })
      expect([refused.statusCode, refused.body]).toEqual([503, en.storageAway])
      expect(await rows()).toBe(before)
      server.fault = () => null
      expect((await sendFile(mei, '/file/picture', { bytes })).statusCode).toBe(200)
    },
  )

  test('a file that was brought can be finished when the store is back', async () => {
    const file = await uploadFile('tea.pdf', pdf)
    server.fault = (request) => (request.endsWith('.file') ? 'fails' : null)
    expect((await mei.tryCall(contract.finishUpload, { file })).status).toBe(503)
    server.fault = () => null
    expect((await mei.call(contract.finishUpload, { file })).attachment).toMatchObject({ file, name: 'tea.pdf' })
  })

  test('a picture that the store does not return is not taken for missing', async () => {
    const { src } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
    server.fault = () => 'cut'
    const answer = await app.inject(src)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store'])
  })
})

test('a disk that takes nothing during an upload is reported, and the next call on the same connection is answered', async () => {
  await set('fileStorageSystem', 0)
  const large = Buffer.concat([pdf, randomBytes(900_000)])
  const { url, headers } = await begin('tea.pdf', large)
  const unfinished = join(forum.dataDir, 'files', 'unfinished')
  await rename(unfinished, `${unfinished}-away`)
  await writeFile(unfinished, 'no folder')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }).catch(() => app.listeningOrigin))
  const line = connect(Number(port), '127.0.0.1')
  const response = text(line)
  line.write(`PUT ${url} HTTP/1.1\r\nhost: tea\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${large.length}\r\n\r\n`)
  line.write(large)
  line.write('GET /api/baseInfo HTTP/1.1\r\nhost: tea\r\nconnection: close\r\n\r\n')
  expect((await response).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
  await rm(unfinished)
  await rename(`${unfinished}-away`, unfinished)
  expect(await bring({ url, headers }, large)).toBe(204)
})

test('an upload that breaks off on its way to the disk leaves nothing', async () => {
  await set('fileStorageSystem', 0)
  const { file, url, headers } = await begin('tea.pdf', pdf)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }).catch(() => app.listeningOrigin))
  const line = connect(Number(port), '127.0.0.1')
  line.write(`PUT ${url} HTTP/1.1\r\nhost: tea\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${pdf.length}\r\n\r\nhalf`)
  const unfinished = () => readdir(join(forum.dataDir, 'files', 'unfinished'))
  await expect.poll(unfinished).toHaveLength(1)
  line.destroy()
  await expect.poll(unfinished).toEqual([])
  expect(await lies(incomingName(file))).toBe(false)
})

test('bytes of an upload that was announced are refused once the site is read-only or its member is banned', async () => {
  await set('fileStorageSystem', 0)
  const chief = await aStaffer(forum)
  const { file, ...admission } = await begin('tea.pdf', pdf)
  await set('siteState', 'readOnly')
  expect(await bring(admission, pdf)).toBe(422)
  await set('siteState', 'open')
  await chief.call(banMember, { memberId: mei.id, from: ['upload'], reason: 'Too many' })
  expect(await bring(admission, pdf)).toBe(422)
  expect(await lies(incomingName(file))).toBe(false)
  const { bans } = await chief.call(memberView, { memberId: mei.id })
  await chief.call(liftBan, { banId: bans[0]?.id ?? '' })
  expect(await bring(admission, pdf)).toBe(204)
})

async function begin(name: string, bytes: Uint8Array, kind: 'picture' | 'attachment' = 'attachment'): Promise<Admission> {
  return mei.call(contract.beginUpload, { kind, name, bytes: bytes.length })
}

/** Uploads bytes as a browser does; returns the status. */
async function bring({ url, headers }: Pick<Admission, 'url' | 'headers'>, bytes: Uint8Array): Promise<number> {
  if (!url.startsWith('/')) return (await fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes) })).status
  return (await app.inject({ method: 'PUT', url, headers, payload: Buffer.from(bytes) })).statusCode
}

async function uploadFile(name: string, bytes: Uint8Array, kind?: 'picture' | 'attachment'): Promise<string> {
  const admission = await begin(name, bytes, kind)
  expect(await bring(admission, bytes)).toBeLessThan(300)
  return admission.file
}

async function lies(name: string): Promise<boolean> {
  const stored = await (await storageOf(database.reader)).get(name)
  stored?.stream.destroy()
  return stored !== null
}

function rows(table: 'file' | 'upload', id: string) {
  return database.app.selectFrom(table).select('id').where('id', '=', id).execute()
}

async function set<Name extends SettingName>(name: Name, value: Settings[Name]): Promise<void> {
  await transact(database, (tx) => setting.change(tx, name, value, 'test'))
}
