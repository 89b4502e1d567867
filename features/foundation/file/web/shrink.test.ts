import sharp from 'sharp'
import { expect, test } from 'vitest'
import { moving, plain } from '#file/testing/factories.ts'
import { isMoving } from '#file/moving.ts'
import { isHeic } from '#file/web/shrink.ts'

test('a moving picture is known by its first bytes, of any kind, and never becomes a still', async () => {
  const [still, gif] = [plain(), await moving(3)]
  expect(isMoving(await sharp(gif, { animated: true }).webp().toBuffer())).toBe(true)
  expect(isMoving(await still.webp().toBuffer())).toBe(false)
  expect(
    isMoving(
      await sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
        .webp()
        .toBuffer(),
    ),
  ).toBe(false)

  const png = await still.png().toBuffer()
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0')
  expect(isMoving(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))).toBe(true)
  expect(isMoving(png)).toBe(false)
  // After the image data the chunk has no meaning.
  expect(isMoving(Buffer.concat([png, control]))).toBe(false)
})

test('a photograph of a telephone is known by its type, or by its name where a browser knows no type', () => {
  const file = (name: string, type: string) => new File(['x'], name, { type })
  expect([isHeic(file('x', 'image/heic')), isHeic(file('IMG_1.HEIC', '')), isHeic(file('heic.jpg', 'image/jpeg'))]).toEqual([
    true,
    true,
    false,
  ])
})
