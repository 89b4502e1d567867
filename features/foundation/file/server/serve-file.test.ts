import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { moving, plain, sendFile, show } from '#file/testing/factories.ts'

const forum = await aForum()
const mei = await forum.member()

test('a picture may be kept for a day, and runs nothing', async () => {
  const { src, file } = await uploaded(await plain().png().toBuffer())
  const answer = await forum.app.inject(src)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=86400, s-maxage=60',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${file}.webp"`,
    'content-length': String(answer.rawPayload.length),
  })
  const again = await forum.app.inject({ url: src, headers: { 'if-none-match': String(answer.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const head = await forum.app.inject({ method: 'HEAD', url: src })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, answer.headers['content-length'], ''])
})

test('smaller ones are made once, for the widths we know, and never larger than the picture', async () => {
  const { src } = await uploaded(await plain({ width: 1000, height: 500 }).png().toBuffer())
  const answers = await Promise.all([1, 2, 3].map(() => forum.app.inject(`${src}?w=240`)))
  for (const { rawPayload } of answers) expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 240, height: 120 })
  const [first, second] = [answers[0], await forum.app.inject(`${src}?w=240`)]
  expect(second.rawPayload.equals(first?.rawPayload ?? Buffer.alloc(0))).toBe(true)

  expect(await sharp((await forum.app.inject(`${src}?w=1440`)).rawPayload).metadata()).toMatchObject({ width: 1000, height: 500 })
  for (const width of ['241', '0', '-1', 'x', '240.0', '9999999', '720', '']) {
    expect((await forum.app.inject(`${src}?w=${width}`)).statusCode, width).toBe(404)
  }
  expect((await forum.app.inject(`${src}?w=96&w=240`)).statusCode).toBe(404)
  for (const query of ['as=avif', 'w=240&as=jpeg', 'w=240&as=avif&as=avif', 'key=x&key=y']) {
    expect((await forum.app.inject(`${src}?${query}`)).statusCode, query).toBe(404)
  }
})

test('an animation stands still in a list, and moves in a post', async () => {
  const { src } = await uploaded(await moving(5, { width: 800, height: 40 }))
  const small = await sharp((await forum.app.inject(`${src}?w=96`)).rawPayload).metadata()
  const large = await sharp((await forum.app.inject(`${src}?w=960`)).rawPayload).metadata()
  expect([small.width, small.pages ?? 1]).toEqual([96, 1])
  expect([large.width, large.pages]).toEqual([800, 5])
})

test('an invalid picture id is missing, and never becomes a path', async () => {
  const ids = [
    `f_${'A'.repeat(22)}`,
    '..%2f..%2fpackage.json',
    'f_..%2f..%2f..%2f..%2fetc%2fpasswd',
    `f_${'A'.repeat(22)}%00`,
    'f_'.repeat(12),
    'unfinished',
  ]
  for (const id of ids) {
    expect((await forum.app.inject(`/file/${id}`)).statusCode, id).toBe(404)
    expect((await forum.app.inject(`/file/${id}?w=240`)).statusCode, id).toBe(404)
  }
})

async function uploaded(bytes: Buffer): Promise<{ src: string; file: string }> {
  const { file } = (await sendFile(mei, '/file/picture', { bytes })).json()
  await show(forum.database.app, file, mei.id)
  return { file, src: `/file/${file}` }
}
