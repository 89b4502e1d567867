import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawPicture, isPictureName, pictureNames } from './pictures.ts'
import { drawTagPicture, taggedWithPictures } from './tag-pictures.ts'

test('every picture is a WebP large enough for a post and small enough for a phone', async () => {
  for (const name of pictureNames) {
    const bytes = await drawPicture(name)
    const { format, width, height } = await sharp(bytes).metadata()
    expect(format).toBe('webp')
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(600)
    expect(bytes.length).toBeLessThan(300_000)
  }
})

test('every picture of a tag is a small square', async () => {
  for (const key of taggedWithPictures) {
    const bytes = await drawTagPicture(key)
    const { format, width, height } = await sharp(bytes).metadata()
    expect([format, width, height]).toEqual(['webp', 200, 200])
    expect(bytes.length).toBeLessThan(5_000)
  }
})

test('a picture is drawn the same every time', async () => {
  expect((await drawPicture('trail-profile')).equals(await drawPicture('trail-profile'))).toBe(true)
})

test('only pictures that exist have a name', () => {
  expect(isPictureName('teacup')).toBe(true)
  expect(isPictureName('toString')).toBe(false)
})
