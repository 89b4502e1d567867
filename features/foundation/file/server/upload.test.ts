import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { moving, plain, sendFile } from '#file/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import en from '#file/words/en.json' with { type: 'json' }
import zh from '#file/words/zh.json' with { type: 'json' }

const forum = await aForum()
const mei = await forum.member()
const unknownKind = en.pictureOfUnknownKind.replace('{kinds}', 'JPEG, PNG, WebP, GIF, AVIF')

test('a photograph loses its place, its camera and its colour profile, and is upright', async () => {
  const exif = { IFD0: { Copyright: 'a-secret-name' }, IFD3: { GPSLatitude: '30/1 15/1 0/1', GPSLatitudeRef: 'N' } }
  const photo = await plain({ width: 80, height: 40 })
    .withExif(exif)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6, exif })
    .jpeg()
    .toBuffer()
  expect(photo.includes('a-secret-name')).toBe(true)

  const { src, width, height } = (await upload(mei, photo)).json()
  expect([width, height]).toEqual([40, 80])
  const served = await bytesAt(src)
  expect(served.includes('a-secret-name')).toBe(false)
  const metadata = await sharp(served).metadata()
  expect(metadata).toMatchObject({ format: 'webp', width: 40, height: 80 })
  expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc, metadata.orientation]).toEqual(Array(5).fill(undefined))
})

test('the row has its owner, and is unused yet', async () => {
  const { file } = (await upload(mei, await plain().png().toBuffer())).json()
  const row = await forum.database.app.selectFrom('file').selectAll().where('id', '=', file).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ owner_id: mei.id, kind: 'picture', type: 'image/webp', width: 60, height: 40 })
  expect(row.unused_since).not.toBeNull()
})

test('PNG, WebP, GIF and AVIF are accepted, under any name', async () => {
  for (const format of ['png', 'webp', 'gif', 'avif'] as const) {
    const answer = await upload(mei, await plain().toFormat(format).toBuffer(), 'holiday.txt')
    expect(answer.statusCode, format).toBe(200)
  }
})

test('a large picture is made smaller, and a wide one keeps its height', async () => {
  const { width, height } = (await upload(mei, await plain({ width: 5120, height: 1000 }).jpeg().toBuffer())).json()
  expect([width, height]).toEqual([5120, 1000])
})

test('an animation still moves', async () => {
  const { src, width, height } = (await upload(mei, await moving(12))).json()
  expect([width, height]).toEqual([8, 8])
  const metadata = await sharp(await bytesAt(src), { animated: true }).metadata()
  expect(metadata.pages).toBe(12)
})

test('a GIF that is a script too comes out as a picture only', async () => {
  const script = Buffer.from('<script>alert(document.domain)</script>/*')
  const { src } = (await upload(mei, Buffer.concat([await moving(2), script]))).json()
  expect((await bytesAt(src)).includes('script')).toBe(false)
})

test('a file that is not a picture is refused in the member’s language', async () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const tiff = await plain().tiff().toBuffer()
  for (const bytes of [html, svg, tiff, Buffer.from('GIF'), Buffer.from('RIFF----WEBP').subarray(0, 8)]) {
    await expectRefusal(mei, bytes, unknownKind)
  }
  const lin = Object.assign(forum.visitor({ language: 'zh' }), { pair: mei.pair })
  await expectRefusal(lin, html, zh.pictureOfUnknownKind.replace('{kinds}', 'JPEG, PNG, WebP, GIF, AVIF'))
})

test('pictures that are cut off or damaged are refused', async () => {
  const lin = await forum.member()
  const noise = await sharp({
    create: { width: 300, height: 300, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
  })
    .png()
    .toBuffer()
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const whole = await sharp(noise).toFormat(format).toBuffer()
    await expectRefusal(lin, whole.subarray(0, whole.length / 2), en.pictureUnreadable)
    await expectRefusal(lin, whole.subarray(0, 24), en.pictureUnreadable)
  }
  await expectRefusal(lin, Buffer.from('GIF89a and then a poem'), en.pictureUnreadable)
})

test('a small file that would unfold to billions of pixels is refused by its header', async () => {
  const bomb = await plain().png().toBuffer()
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  await expectRefusal(mei, bomb, /limit is 40 million/i)
})

test('an animation of too many frames, or of too many pixels in all, is refused', async () => {
  await expectRefusal(mei, await moving(201), /limit is 200 frames/)
  const { statusCode } = await upload(mei, await moving(200))
  expect(statusCode).toBe(200)
  await expectRefusal(mei, await moving(11, { width: 2000, height: 2000 }), /limit is 40 million/i)
})

test('no file, or an empty one, is asked for again', async () => {
  const nothing = await sendFile(mei, '/file/picture', null)
  expect([nothing.statusCode, nothing.json().error.picture]).toEqual([422, en.pictureMissing])
  await expectRefusal(mei, Buffer.alloc(0), en.pictureMissing)
})

test('a picture above the limit of the site is refused at its field, with the limit', async () => {
  const limit = (kilobytes: number) => transact(forum.database, (tx) => setting.change(tx, 'pictureKilobytes', kilobytes, 'test'))
  const before = (await setting.all(forum.database.app)).pictureKilobytes
  await limit(100)
  await expectRefusal(mei, Buffer.alloc(100 * 1024 + 1), /limit is 0.1 MB/)
  const form = await forum.app.inject('/api/file/uploadForm')
  expect(form.json().pictures.kilobytes).toBe(100)
  await limit(before)
})

test('a visitor, or a member without the right, may not upload', async () => {
  const bytes = await plain().png().toBuffer()
  expect((await upload(forum.visitor(), bytes)).statusCode).toBe(401)

  const rights = await forum.database.app.deleteFrom('role_right').where('right_name', '=', 'picture.upload').returningAll().execute()
  forum.database.invalidations.announce(new Set(['role']))
  expect((await upload(await forum.member(), bytes)).statusCode).toBe(403)
  await forum.database.app
    .insertInto('role_right')
    .values(rights.map(({ role_id, right_name, tag_id }) => ({ role_id, right_name, tag_id })))
    .execute()
  forum.database.invalidations.announce(new Set(['role']))
})

function upload(who: Visitor, bytes: Uint8Array, name?: string) {
  return sendFile(who, '/file/picture', { bytes, ...(name && { name }) })
}

async function expectRefusal(who: Visitor, bytes: Uint8Array, message: string | RegExp): Promise<void> {
  const answer = await upload(who, bytes)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().error.picture).toMatch(message)
}

async function bytesAt(src: string): Promise<Buffer> {
  const { rawPayload } = await forum.app.inject(src)
  return rawPayload
}
