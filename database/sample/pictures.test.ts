import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pictureNames, readPicture, readTagPicture, tagPictureKeys } from './pictures.ts'

test('every picture is a WebP large enough for a post and small enough for a phone', async () => {
  expect(pictureNames.length).toBe(10)
  for (const name of pictureNames) {
    const bytes = await readPicture(name)
    const { format, width, height } = await sharp(bytes).metadata()
    expect(format).toBe('webp')
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(600)
    expect(bytes.length).toBeLessThan(100_000)
  }
})

test('every picture of a tag is a small square', async () => {
  expect(tagPictureKeys.length).toBe(10)
  for (const key of tagPictureKeys) {
    const bytes = await readTagPicture(key)
    const { format, width, height } = await sharp(bytes).metadata()
    expect([format, width, height]).toEqual(['webp', 200, 200])
    expect(bytes.length).toBeLessThan(5_000)
  }
})
