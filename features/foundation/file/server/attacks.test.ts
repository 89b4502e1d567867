import { Readable } from 'node:stream'
import { crc32, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { countCharacters } from '#base/characters.ts'
import { aForum } from '#base/testing/forum.ts'
import * as contract from '#file/contract.ts'
import { plain, sendFile, show } from '#file/testing/factories.ts'
import { dispositionOf } from '#file/server/send-attachment.ts'
import { fileNameFrom } from '#file/server/file-name.ts'
import en from '#file/words/en.json' with { type: 'json' }

const forum = await aForum()
const { app, database } = forum
const payload = '<script>alert(document.domain)</script><?php system($_GET[0]); ?>'
const jpeg = await plain().jpeg().toBuffer()
const png = await plain().png().toBuffer()
const gif = await plain().gif().toBuffer()
const webp = await plain().webp().toBuffer()
const tiff = await plain().tiff().toBuffer()
const inExif = await plain()
  .withExif({ IFD0: { ImageDescription: payload } })
  .jpeg()
  .toBuffer()
const inXmp = await plain().withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${payload}</x:xmpmeta>`).jpeg().toBuffer()

describe('a picture that is something else too comes out as a picture only', () => {
  const comment = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), Buffer.from(text)])
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])))
    return Buffer.concat([length, Buffer.from(type), data, sum])
  }
  const zip = Buffer.from(`PK\x03\x04${payload}PK\x05\x06${'\0'.repeat(18)}`)

  test.each<[string, Buffer]>([
    ['a JPEG with a page after its end', Buffer.concat([jpeg, Buffer.from(payload)])],
    ['a JPEG with an archive after its end', Buffer.concat([jpeg, zip])],
    ['a JPEG with a script for a comment', Buffer.concat([jpeg.subarray(0, 2), comment(payload), jpeg.subarray(2)])],
    ['a JPEG that begins a PDF', Buffer.concat([jpeg.subarray(0, 2), comment(`%PDF-1.7 ${payload}`), jpeg.subarray(2)])],
    ['a PNG with a page after its end', Buffer.concat([png, Buffer.from(payload)])],
    ['a WebP with a page after its end', Buffer.concat([webp, Buffer.from(payload)])],
    ['a picture with a script in its EXIF', inExif],
    ['a picture with a script in its XMP', inXmp],
  ])('%s', async (_, bytes) => {
    expect(bytes.includes('<script>')).toBe(true)
    const answer = await upload(bytes)
    expect(answer.statusCode).toBe(200)
    const { rawPayload, headers } = await app.inject(answer.json().src)
    expect([rawPayload.includes('script'), rawPayload.includes('PK\x03\x04'), headers['content-type']]).toEqual([
      false,
      false,
      'image/webp',
    ])
    expect((await sharp(rawPayload).metadata()).format).toBe('webp')
  })

  test('a PNG with a script between its chunks', async () => {
    const bytes = Buffer.concat([png.subarray(0, 33), chunk('tEXt', Buffer.from(`Comment\0${payload}`)), png.subarray(33)])
    const { src } = (await upload(bytes)).json()
    expect((await app.inject(src)).rawPayload.includes('script')).toBe(false)
  })
})

describe('a file that only claims to be a picture is refused', () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="file:///etc/passwd"/></svg>`
  test.each<[string, Buffer]>([
    ['SVG', Buffer.from(svg)],
    [
      'SVG after a prolog and an entity',
      Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`),
    ],
    ['SVG after a mark of its encoding', Buffer.from(`\ufeff  ${svg}`)],
    ['SVG in UTF-16', Buffer.from(svg, 'utf16le')],
    ['SVG in a gzip', gzipSync(svg)],
    ['a page', Buffer.from(`<!doctype html><body>${payload}`)],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['PostScript', Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run')],
    ['a drawing script', Buffer.from(`push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://evil.example/|id)'\npop graphic-context`)],
    ['TIFF', tiff],
    ['BMP', Buffer.from('BM\x36\x00\x00\x00')],
    ['an icon', Buffer.from('\0\0\x01\0\x01\0\x10\x10')],
    ['a film', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a camera file', Buffer.from('FUJIFILMCCD-RAW ')],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01')],
  ])('%s', async (_, bytes) => {
    const answer = await upload(bytes)
    expect([answer.statusCode, Object.keys(answer.json().error)]).toEqual([422, ['picture']])
  })

  test('the beginning of one kind with the body of another', async () => {
    for (const bytes of [
      Buffer.concat([png.subarray(0, 8), jpeg]),
      Buffer.concat([jpeg.subarray(0, 3), png]),
      Buffer.concat([Buffer.from('GIF89a'), png]),
      Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'), jpeg]),
      Buffer.concat([Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'), jpeg]),
    ])
      expect((await upload(bytes)).json().error?.picture).toBe(en.pictureUnreadable)
  })
})

describe('a picture that would unfold to billions of pixels is refused by its header', () => {
  const size = (bytes: Buffer, at: number, write: (buffer: Buffer) => void) => {
    const copy = Buffer.from(bytes)
    write(copy.subarray(at))
    return copy
  }
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  test.each<[string, Buffer]>([
    ['JPEG', size(jpeg, frame + 5, (at) => (at.writeUInt16BE(65_000, 0), at.writeUInt16BE(65_000, 2)))],
    [
      'GIF',
      size(
        size(gif, 6, (at) => (at.writeUInt16LE(20_000, 0), at.writeUInt16LE(20_000, 2))),
        gif.indexOf(0x2c, 13) + 5,
        (at) => (at.writeUInt16LE(20_000, 0), at.writeUInt16LE(20_000, 2)),
      ),
    ],
    ['WebP', Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0', 'latin1'), Buffer.alloc(20)])],
  ])('%s', async (_, bytes) => {
    const answer = await upload(bytes)
    expect([answer.statusCode, answer.json().error.picture]).toEqual([422, expect.stringMatching(/limit is 40 million|damaged/)])
  })
})

describe('a photograph', () => {
  test('stands upright in any orientation of the camera', async () => {
    const left = await sharp({ create: { width: 40, height: 80, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer()
    const scene = sharp({ create: { width: 120, height: 80, channels: 3, background: '#0000ff' } }).composite([
      { input: left, left: 0, top: 0 },
    ])
    const flat = await scene.png().toBuffer()
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const photo = await sharp(flat).jpeg({ quality: 100 }).withMetadata({ orientation }).toBuffer()
      const { src, width, height } = (await upload(photo)).json()
      const upright = await sharp(photo).autoOrient().raw().toBuffer({ resolveWithObject: true })
      const servedPixels = await sharp((await app.inject(src)).rawPayload)
        .removeAlpha()
        .raw()
        .toBuffer()
      expect([width, height], `held as ${orientation}`).toEqual([upright.info.width, upright.info.height])
      for (const corner of [0, (upright.info.width - 1) * 3, servedPixels.length - 3]) {
        const isGreen = (pixels: Buffer) => (pixels[corner + 1] ?? 0) > 128
        expect(isGreen(servedPixels), `corner ${corner}, held as ${orientation}`).toBe(isGreen(upright.data))
      }
    }
  })

  test('keeps its colours when it loses its colour profile', async () => {
    const wide = await sharp({ create: { width: 20, height: 20, channels: 3, background: { r: 200, g: 100, b: 50 } } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const servedImage = sharp((await app.inject((await upload(wide)).json().src)).rawPayload)
    expect((await servedImage.metadata()).icc).toBeUndefined()
    const [red = 0, green = 0, blue = 0] = await servedImage.removeAlpha().raw().toBuffer()
    // Within the loss of WebP: a colour profile that was dropped without conversion would differ by tens.
    expect([Math.abs(red - 200), Math.abs(green - 100), Math.abs(blue - 50)].every((off) => off < 8)).toBe(true)
  })
})

describe('the name of a file', () => {
  test.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['..\\..\\windows\\system32\\tea.pdf', 'tea.pdf'],
    ['C:\\Users\\mei\\tea.pdf', 'tea.pdf'],
    ['/tea.pdf', 'tea.pdf'],
    ['....pdf', 'pdf'],
    ['.htaccess', 'htaccess'],
    ['te\u202efdp.exe', 'tefdp.exe'],
    ['a\u0000b\u001b[31m.pdf', 'ab[31m.pdf'],
    ['tea\r\nset-cookie: a=b.pdf', 'teaset-cookie_ a=b.pdf'],
    ['  茶  .pdf ', '茶.pdf'],
    ['<img src=x onerror=alert(1)>.pdf', '_img src=x onerror=alert(1)_.pdf'],
    ['tea"; filename="evil.html', 'tea_; filename=_evil.html'],
    ['.pdf', 'pdf'],
    ['', 'file'],
    ['///', 'file'],
  ])('%j is kept as %j', (written, expected) => {
    expect(fileNameFrom(written)).toBe(expected)
  })

  test.each(['tea', '茶', '👩‍👩‍👧'])(
    'with many %s is never long, can be stored on a disk, and keeps its end and its characters whole',
    (word) => {
      const name = fileNameFrom(`${word.repeat(150)}.pdf`)
      expect(countCharacters(name)).toBeLessThanOrEqual(100)
      expect([Buffer.byteLength(name) <= 255, name.endsWith('.pdf'), name.isWellFormed()]).toEqual([true, true, true])
    },
  )

  test('never becomes a header of its own', () => {
    for (const name of ['a"b.pdf', "a';b.pdf", 'a\\b.pdf', '茶.pdf', 'a%22b.pdf', 'a b.pdf', '100%.pdf', '(1)*!.pdf']) {
      const header = dispositionOf(name)
      expect(header).toMatch(/^attachment; filename="[\w.()-]+"; filename\*=UTF-8''[\w.~!%-]+$/)
      expect(decodeURIComponent(header.split("''")[1] ?? '')).toBe(name)
    }
  })

  test.each(['tea.exe', 'tea.pdf.exe', 'tea.html', 'tea.svg', 'tea.js', 'tea', '.pdf', 'tea.PHP', 'tea.pdf\u202e.exe'])(
    '%j has a name that is not allowed',
    async (name) => {
      const mei = await forum.member()
      const { status, error } = await mei.tryCall(contract.beginUpload, { kind: 'attachment', name, bytes: 10 })
      expect([status, error['file']]).toEqual([422, expect.stringContaining('can’t be uploaded')])
    },
  )
})

test('a file that holds a page is never shown as one', async () => {
  const mei = await forum.member()
  const page = Buffer.from(`<!doctype html>${payload}`)
  const { file, url, headers } = await mei.call(contract.beginUpload, { kind: 'attachment', name: 'tea.txt', bytes: page.length })
  await app.inject({ method: 'PUT', url, headers, payload: page })
  await mei.call(contract.finishUpload, { file })
  await show(database.app, file, mei.id)
  expect((await app.inject(`/file/${file}`)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': expect.stringMatching(/^attachment;/),
    'cross-origin-resource-policy': 'same-origin',
  })
})

describe('the address for uploads', () => {
  const bytes = Buffer.from('%PDF-1.7')
  const begin = async () => (await forum.member()).call(contract.beginUpload, { kind: 'attachment', name: 'tea.pdf', bytes: bytes.length })

  test('takes no file without the key, and with it that one upload only', async () => {
    const { url, headers } = await begin()
    const other = await begin()
    const [path, query] = url.split('?')
    for (const wrong of [path, `${path}?key=`, `${path}?${query}x`, `${path}?${query}&${query}`, `${other.url.split('?')[0]}?${query}`]) {
      expect((await app.inject({ method: 'PUT', url: wrong ?? '', headers, payload: bytes })).statusCode, wrong).toBe(404)
    }
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await app.inject({ method, url, headers })).statusCode, method).not.toBe(204)
    expect((await app.inject({ method: 'PUT', url, headers, payload: bytes })).statusCode).toBe(204)
  })

  test('takes bytes of an announced length, and nothing else', async () => {
    const { url, headers } = await begin()
    for (const type of ['text/html', 'multipart/form-data; boundary=x', 'application/json'])
      expect((await app.inject({ method: 'PUT', url, headers: { 'content-type': type }, payload: bytes })).statusCode, type).toBe(415)
    const streamed = await app.inject({
      method: 'PUT',
      url,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      payload: Readable.from([bytes]),
    })
    expect(streamed.statusCode).toBe(411)
  })

  test('a key to look at a file is no key to bring one', async () => {
    const mei = await forum.member()
    const { file, headers } = await mei.call(contract.beginUpload, { kind: 'attachment', name: 'tea.pdf', bytes: bytes.length })
    const picture = (await sendFile(mei, '/file/picture', { bytes: png })).json()
    const key = new URL(picture.src, 'http://tea').searchParams.get('key')
    expect((await app.inject({ method: 'PUT', url: `/file/incoming/${file}?key=${key}`, headers, payload: bytes })).statusCode).toBe(404)
  })

  test('does not fill up with unfinished uploads', async () => {
    const mei = await forum.member()
    for (let at = 0; at < 20; at++) await mei.call(contract.beginUpload, { kind: 'attachment', name: `${at}.pdf`, bytes: 10 })
    expect(await mei.isRefused(contract.beginUpload, { kind: 'attachment', name: 'more.pdf', bytes: 10 }, contract.TooManyUploads)).toBe(
      true,
    )
  })
})

async function upload(bytes: Uint8Array) {
  return sendFile(await forum.member(), '/file/picture', { bytes })
}
