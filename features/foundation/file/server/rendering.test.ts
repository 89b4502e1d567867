import { pino } from 'pino'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { moving, sendFile, show } from '#file/testing/factories.ts'
import { renderAll } from '#file/server/rendering.ts'
import { sourcesOf } from '#file/server/sources.ts'
import { storage as storageOf } from '#file/server/storage.ts'

const forum = await aForum()
const { database, app } = forum
const mei = await forum.member()
const storage = await storageOf(database.reader)
const log = pino({ level: 'silent' })
const photo = await sharp({
  create: { width: 1200, height: 800, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 120, sigma: 30 } },
})
  .blur(2)
  .jpeg()
  .toBuffer()

test('a picture in a post is made smaller once, as WebP and as AVIF, never wider than it is', async () => {
  const id = await uploadAndShow(photo)
  expect(await renderAll(database, storage, log)).toBe(1)
  for (const [width, form, size] of [
    [240, 'webp', 240],
    [480, 'webp', 480],
    [480, 'avif', 480],
    [960, 'avif', 960],
    [1440, 'webp', 1200],
    [1440, 'avif', 1200],
  ] as const) {
    const { headers, rawPayload } = await app.inject(`/file/${id}?w=${width}${form === 'avif' ? '&as=avif' : ''}`)
    expect(headers, `${width} ${form}`).toMatchObject({
      'content-type': `image/${form}`,
      'cache-control': 'public, max-age=86400, s-maxage=60',
    })
    expect((await sharp(rawPayload).metadata()).width).toBe(size)
  }
  expect(await renderAll(database, storage, log)).toBe(0)
})

test('an AVIF is never larger than the WebP it stands for', async () => {
  const id = await uploadAndShow(photo)
  await renderAll(database, storage, log)
  for (const width of [480, 960, 1440]) {
    const [webp, avif] = await Promise.all([app.inject(`/file/${id}?w=${width}`), app.inject(`/file/${id}?w=${width}&as=avif`)])
    expect(avif.rawPayload.length).toBeLessThan(webp.rawPayload.length)
  }
})

test('a WebP stands in for an AVIF not made yet, and is not cached', async () => {
  const id = await uploadAndShow(photo)
  const early = await app.inject(`/file/${id}?w=480&as=avif`)
  expect(early.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
  expect((await sharp(early.rawPayload).metadata()).width).toBe(480)
  await renderAll(database, storage, log)
  expect((await app.inject(`/file/${id}?w=480&as=avif`)).headers['content-type']).toBe('image/avif')
})

test('an animation keeps moving in every size of a post, and is never a still AVIF', async () => {
  const id = await uploadAndShow(await moving(4, { width: 1000, height: 30 }))
  await renderAll(database, storage, log)
  for (const query of ['w=480', 'w=480&as=avif']) {
    const { headers, rawPayload } = await app.inject(`/file/${id}?${query}`)
    expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=86400, s-maxage=60' })
    expect((await sharp(rawPayload).metadata()).pages).toBe(4)
  }
})

test('a picture in no post has no smaller versions', async () => {
  await upload(photo)
  expect(await renderAll(database, storage, log)).toBe(0)
})

test('a picture that cannot be read any more does not hold up the others', async () => {
  const [broken, removed, whole] = [await uploadAndShow(photo), await uploadAndShow(photo), await uploadAndShow(photo)]
  await storage.put(`${broken}.webp`, Buffer.from('no picture'))
  await storage.remove(`${removed}.webp`)
  expect(await renderAll(database, storage, log)).toBe(3)
  expect((await app.inject(`/file/${whole}?w=480&as=avif`)).headers['content-type']).toBe('image/avif')
  expect(await renderAll(database, storage, log)).toBe(0)
})

test('while the storage is away, pictures wait to be made smaller', async () => {
  await uploadAndShow(photo)
  const away = { ...storage, put: () => Promise.reject(new Error('no room')) }
  await expect(renderAll(database, away, log)).rejects.toThrow('no room')
  expect(await renderAll(database, storage, log)).toBe(1)
})

test('browsers are offered the existing sizes, and the picture itself if it is small', () => {
  const src = '/file/f'
  expect(sourcesOf({ src, width: 480, height: 300, moves: false })).toEqual({})
  expect(sourcesOf({ src, width: 900, height: 300, moves: false })).toEqual({
    srcset: '/file/f?w=480 480w, /file/f 900w',
    avif: '/file/f?w=480&as=avif 480w, /file/f?w=960&as=avif 900w',
  })
  expect(sourcesOf({ src, width: 2560, height: 300, moves: false }).srcset).toBe(
    '/file/f?w=480 480w, /file/f?w=960 960w, /file/f?w=1440 1440w',
  )
  expect(sourcesOf({ src, width: 2560, height: 300, moves: true })).toEqual({
    srcset: '/file/f?w=480 480w, /file/f?w=960 960w, /file/f?w=1440 1440w',
  })
  expect(sourcesOf({ src, width: 900, height: 17_000, moves: false })).toEqual({})
})

async function upload(bytes: Uint8Array): Promise<string> {
  return (await sendFile(mei, '/file/picture', { bytes })).json().file
}

async function uploadAndShow(bytes: Uint8Array): Promise<string> {
  const id = await upload(bytes)
  await show(database.app, id, mei.id)
  return id
}
