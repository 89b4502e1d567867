import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { storedSize } from '#file/limits.ts'
import { moving, plain, sendFile, show } from '#file/testing/factories.ts'
import { backdropOf } from '#file/server/backdrop.ts'

const forum = await aForum()
const mei = await forum.member()

async function sent(bytes: Uint8Array) {
  const answer = await sendFile(mei, '/file/picture', { bytes })
  expect(answer.statusCode).toBe(200)
  return answer.json() as { file: string; src: string; width: number; height: number; lost: string[] }
}

const at = async (src: string) => (await forum.app.inject(src)).rawPayload

/** Drawn signs, on this background or on a transparent one. */
function drawing(width: number, height: number, colours: readonly string[], ground: string | null = null): Sharp {
  const bars = Array.from({ length: 24 }, (_, n) => {
    const [x, y] = [((n % 6) + 0.2) * (width / 6), (Math.floor(n / 6) + 0.3) * (height / 4)]
    return `<rect x="${x}" y="${y}" width="${width / 12}" height="${height / 14}" fill="${colours[n % colours.length]}"/>`
  })
  const behind = ground ? `<rect width="100%" height="100%" fill="${ground}"/>` : ''
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${behind}${bars.join('')}</svg>`))
}

describe('a picture that is long', () => {
  test('keeps its width, so that its text stays readable', async () => {
    const { src, width, height, lost } = await sent(await plain({ width: 1080, height: 12_000 }).png().toBuffer())
    expect([width, height, lost]).toEqual([1080, 12_000, []])
    expect(await sharp(await at(src)).metadata()).toMatchObject({ format: 'webp', width: 1080, height: 12_000 })
  })

  test('and too long for WebP is stored as JPEG, or as PNG if it is transparent; smaller ones are WebP', async () => {
    const opaque = await sent(await plain({ width: 300, height: 17_000 }).png().toBuffer())
    const clear = await sent(await drawing(300, 17_000, ['#000']).png().toBuffer())
    for (const [{ file }, format] of [
      [opaque, 'jpeg'],
      [clear, 'png'],
    ] as const) {
      await show(forum.database.app, file, mei.id)
      const whole = await forum.app.inject(`/file/${file}`)
      expect(whole.headers['content-type']).toBe(`image/${format}`)
      expect(await sharp(whole.rawPayload).metadata()).toMatchObject({ format, width: 300, height: 17_000 })
      const small = await forum.app.inject(`/file/${file}?w=240`)
      expect(small.headers['content-type']).toBe('image/webp')
      expect((await sharp(small.rawPayload).metadata()).width).toBe(240)
      const same = await forum.app.inject(`/file/${file}?w=480`)
      expect(same.headers['content-type']).toBe(`image/${format}`)
    }
    expect(await forum.database.app.selectFrom('file').select('type').where('id', '=', opaque.file).execute()).toEqual([
      { type: 'image/jpeg' },
    ])
  })

  test('is kept within a limit by area, and any other by its longer side', () => {
    for (const [width, height] of [
      [1080, 12_000],
      [800, 600],
      [5120, 1000],
      [300, 17_000],
    ] as const)
      expect(storedSize({ width, height })).toEqual({ width, height })
    expect(storedSize({ width: 4000, height: 3000 })).toEqual({ width: 2560, height: 1920 })
    for (const [width, height] of [
      [1440, 20_000],
      [300, 130_000],
      [130_000, 300],
      [6000, 6000],
      [1, 40_000_000],
    ] as const) {
      const size = storedSize({ width, height })
      expect(size.width * size.height).toBeLessThanOrEqual(16_100_000)
      expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(65_500)
    }
  })
})

describe('the loss of a picture is reported', () => {
  test('its size, its motion, and more than eight bits of a colour', async () => {
    expect((await sent(await plain({ width: 4000, height: 3000 }).jpeg().toBuffer())).lost).toEqual(['size'])
    expect((await sent(await plain().toColourspace('rgb16').png().toBuffer())).lost).toEqual(['depth'])
    const png = await plain().png().toBuffer()
    const control = Buffer.alloc(20)
    control.writeUInt32BE(8, 0)
    control.write('acTL', 4)
    control.writeUInt32BE(2, 8)
    control.writeUInt32BE(crc(control.subarray(4, 16)), 16)
    expect((await sent(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))).lost).toEqual(['motion'])
  })

  test('and nothing for a picture kept as it was', async () => {
    expect((await sent(await plain().png().toBuffer())).lost).toEqual([])
    expect((await sent(await moving(4))).lost).toEqual([])
  })
})

describe('the background for a transparent picture', () => {
  test.each([
    ['black writing', ['#000'], null, 'light'],
    ['white writing', ['#fff'], null, 'dark'],
    ['writing in black and white', ['#000', '#fff'], null, 'mid'],
    ['writing that is seen on both', ['#c23b2e'], null, null],
    ['black writing on white of its own', ['#000'], '#fff', null],
  ] as const)('%s', async (_, colours, own, ground) => {
    expect(await backdropOf(drawing(600, 400, colours, own).png())).toBe(ground)
  })

  test('is kept with it, and stands in the post', async () => {
    const { file } = await sent(await drawing(600, 400, ['#000']).png().toBuffer())
    const row = await forum.database.app.selectFrom('file').select('ground').where('id', '=', file).executeTakeFirstOrThrow()
    expect(row.ground).toBe('light')
  })
})

function crc(bytes: Buffer): number {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1))
  }
  return ~sum >>> 0
}
