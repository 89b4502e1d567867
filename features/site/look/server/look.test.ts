import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { removeUnused } from '#file/server/cleaning.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { storage } from '#file/server/storage.ts'
import { changeLook, listLook, removeLook, returnLook } from '#look/contract.ts'
import { baseInfo, type PictureSetting } from '#setting/contract.ts'
import { changeSettings, listSettings, returnSetting, settingHistory } from '#setting/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const { app, database } = forum
const chief = await aStaffer(forum)
const wide = await plain({ width: 640, height: 160 }).png().toBuffer()
const square = await plain({ width: 600, height: 600 }, '#c23b2e').png().toBuffer()

beforeEach(async () => {
  for (const which of ['logo', 'logoDark', 'icon'] as const) await chief.call(removeLook, { which })
})

describe('a logo', () => {
  test('is shown by every page at once, in its size, at an address with immutable content', async () => {
    expect((await siteInfo()).logo).toBeNull()
    await send('logo', wide)
    const { logo } = await siteInfo()
    expect(logo).toMatchObject({ width: 640, height: 160, onDark: null })
    const answer = await app.inject(logo?.src ?? '')
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    const { dominant } = await sharp(answer.rawPayload).stats()
    expect(Math.abs(dominant.g - 0x6f)).toBeLessThan(16)

    await send('logo', await plain({ width: 320, height: 80 }, '#c23b2e').png().toBuffer())
    const next = (await siteInfo()).logo
    expect(next?.src).not.toBe(logo?.src)
    expect((await app.inject(logo?.src ?? '')).statusCode).toBe(404)
    expect((await app.inject(next?.src ?? '')).statusCode).toBe(200)
  })

  test('may be another one on dark ground', async () => {
    await send('logo', wide)
    await send('logoDark', await plain({ width: 400, height: 100 }, '#ffffff').png().toBuffer())
    const { logo } = await siteInfo()
    expect(logo?.onDark).toMatchObject({ width: 400, height: 100 })
    expect((await app.inject(logo?.onDark?.src ?? '')).statusCode).toBe(200)
  })

  test('is kept without loss, and no larger than it need be', async () => {
    const drawn =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><text y="40" fill="#c23b2e" font-size="30">Tea</text></svg>'
    const letters = await sharp(Buffer.from(drawn)).png().toBuffer()
    await send('logo', letters)
    const { rawPayload } = await app.inject((await siteInfo()).logo?.src ?? '')
    const pixels = (bytes: Buffer) => sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer()
    expect((await pixels(rawPayload)).equals(await pixels(letters))).toBe(true)
    await send('logo', await plain({ width: 4000, height: 1000 }).png().toBuffer())
    expect((await siteInfo()).logo).toMatchObject({ width: 1024, height: 256 })
  })

  test('that is removed leaves the name, and can be shown again while it is stored', async () => {
    await send('logo', wide)
    const first = (await siteInfo()).logo?.src
    await chief.call(removeLook, { which: 'logo' })
    expect((await siteInfo()).logo).toBeNull()
    const { changes } = await chief.call(settingHistory, { name: 'logo' })
    expect(changes[0]).toMatchObject({ by: chief.account, before: { width: 640, height: 160 }, after: null })

    expect(await removeUnused(database, await storage(database.app))).toBe(0)
    const [logo] = (await chief.call(listLook, {})).pictures
    const [earlier] = logo?.earlier ?? []
    expect([logo?.now, earlier?.by]).toEqual([null, chief.account])
    await chief.call(returnLook, { which: 'logo', file: earlier?.picture.file ?? '' })
    expect((await siteInfo()).logo?.src).toBe(first)
  })

  test('that was cleared away, or never was the logo, is not offered and does not come again', async () => {
    await send('logo', wide)
    await chief.call(removeLook, { which: 'logo' })
    const [{ file }] = await filesEver()
    await transact(database, (tx) =>
      tx
        .updateTable('file')
        .set({ unused_since: new Date(0) })
        .where('id', '=', file)
        .execute(),
    )
    expect(await removeUnused(database, await storage(database.app))).toBe(1)
    const [logo] = (await chief.call(listLook, {})).pictures
    expect(logo?.earlier.map(({ picture }) => picture.file)).not.toContain(file)
    expect((await chief.tryCall(returnLook, { which: 'logo', file })).error).toHaveProperty('picture')
    expect((await chief.tryCall(returnLook, { which: 'logo', file: 'f_aaaaaaaaaaaaaaaaaaaaaa' })).status).toBe(404)
  })
})

describe('an icon', () => {
  test('is a PNG in all the sizes that programs ask for, on tabs, at /favicon.ico and on home screens', async () => {
    expect((await app.inject('/favicon.ico')).headers['location']).toBe('/touch-icon.png')
    await send('icon', square)
    const { icons } = (await app.inject('/site.webmanifest')).json<{ icons: { src: string; sizes: string }[] }>()
    expect(icons.map(({ sizes }) => sizes)).toEqual(['32x32', '180x180', '192x192', '512x512', '512x512'])
    expect(icons.at(-1)).toMatchObject({ purpose: 'maskable' })
    for (const { src, sizes } of icons) {
      const answer = await app.inject(src)
      expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' })
      const { format, width, height } = await sharp(answer.rawPayload).metadata()
      expect([format, `${width}x${height}`]).toEqual(['png', sizes])
    }
    const ico = await app.inject('/favicon.ico')
    expect(ico.rawPayload.equals((await app.inject(icons[0]?.src ?? '')).rawPayload)).toBe(true)
    const again = await app.inject({ url: '/favicon.ico', headers: { 'if-none-match': String(ico.headers['etag']) } })
    expect(again.statusCode).toBe(304)
  })

  test('is not cut by a home screen that cuts every icon to one shape, also one that was stored before', async () => {
    await send('icon', square)
    const { icons } = (await app.inject('/site.webmanifest')).json<{ icons: { src: string }[] }>()
    const src = icons.at(-1)?.src ?? ''
    await (await storage(database.app)).remove(src.replace('/look/', ''))
    const { data, info } = await sharp((await app.inject(src)).rawPayload)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isGround = (x: number, y: number) => data[(y * info.width + x) * info.channels + 2] === 255
    const outside = (x: number, y: number) => Math.hypot(x - 255.5, y - 255.5) > 0.4 * 512
    const cut = Array.from({ length: 512 * 512 }, (_, at) => [at % 512, Math.floor(at / 512)] as const).filter(([x, y]) => outside(x, y))
    expect(cut.every(([x, y]) => isGround(x, y))).toBe(true)
    expect(isGround(256, 256)).toBe(false)
  })

  test('is cleared away with all its sizes', async () => {
    await send('icon', square)
    const { icons } = (await app.inject('/site.webmanifest')).json<{ icons: { src: string }[] }>()
    await chief.call(removeLook, { which: 'icon' })
    const id = /f_[\w-]+/.exec(icons[0]?.src ?? '')?.[0] ?? ''
    await transact(database, (tx) =>
      tx
        .updateTable('file')
        .set({ unused_since: new Date(0) })
        .where('id', '=', id)
        .execute(),
    )
    const place = await storage(database.app)
    await removeUnused(database, place)
    for (const name of [`${id}.webp`, `${id}.32.png`, `${id}.512.png`, `${id}.maskable.png`]) expect(await place.get(name)).toBeNull()
  })
})

test('a forum without an icon of its own has one in the sizes of home screens, and one that may be cut', async () => {
  const { icons } = (await app.inject('/site.webmanifest')).json<{ icons: { src: string; sizes: string; purpose?: string }[] }>()
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 undefined',
    '512x512 undefined',
    '512x512 maskable',
    'any undefined',
  ])
  for (const { src, sizes } of icons.slice(0, 3)) {
    const { width, height } = await sharp(new URL(`../../../../apps/web/public${src}`, import.meta.url).pathname).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
})

test('the name that a telephone gives the forum on its home screen is the site’s own', async () => {
  await chief.call(changeSettings, { title: '老茶馆', mainColour: '#1d4ed8' })
  expect((await app.inject('/site.webmanifest')).json()).toMatchObject({ name: '老茶馆', theme_color: '#1d4ed8' })
  for (const name of ['title', 'mainColour']) await chief.call(returnSetting, { name })
})

test('a file that is no picture, too large or of the wrong shape is refused at its field, and changes nothing', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>')
  const picture = (width: number, height: number) => plain({ width, height }).png().toBuffer()
  const wrong: [PictureSetting, Buffer, RegExp][] = [
    ['logo', svg, /JPEG, PNG/],
    ['icon', svg, /JPEG, PNG/],
    ['logo', Buffer.from('a text'), /JPEG, PNG/],
    ['logo', Buffer.concat([wide, Buffer.alloc(2_100_000)]), /2/],
    ['logo', await picture(80, 160), /80 × 160/],
    ['logo', await picture(900, 90), /900 × 90/],
    ['logo', await picture(60, 20), /60 × 20/],
    ['icon', wide, /640 × 160/],
    ['icon', await picture(16, 16), /16 × 16/],
  ]
  for (const [which, bytes, says] of wrong) {
    const answer = await sendAs(chief, which, bytes)
    expect([answer.statusCode, answer.json().error?.picture]).toEqual([422, expect.stringMatching(says)])
  }
  expect((await chief.call(listLook, {})).pictures.map(({ now }) => now)).toEqual([null, null, null])
})

test('staff without the right to change settings change no logo, and settings alone name no file', async () => {
  const reader = await aStaffer(forum, ['setting.view'])
  expect((await sendAs(reader, 'logo', wide)).statusCode).toBe(403)
  expect((await reader.tryCall(removeLook, { which: 'logo' })).status).toBe(403)
  expect((await reader.call(listLook, {})).pictures).toHaveLength(3)
  expect((await chief.tryCall(changeSettings, { logo: { file: 'f_x', width: 1, height: 1 } })).status).toBe(400)
  expect((await chief.tryCall(returnSetting, { name: 'logo' })).status).toBe(404)
  expect((await chief.call(listSettings, {})).settings.map(({ name }) => name)).toContain('logo')
})

test('no file but the forum’s own is served from its logo’s address', async () => {
  const mei = await forum.member()
  const { file } = (await sendFile(mei, '/file/picture', { bytes: wide })).json<{ file: string }>()
  for (const path of [`/look/${file}.webp`, `/look/${file}.32.png`, '/look/x', `/look/..%2f${file}.webp`])
    expect((await app.inject(path)).statusCode).toBe(404)
})

async function send(which: PictureSetting, bytes: Buffer): Promise<void> {
  const answer = await sendAs(chief, which, bytes)
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

function sendAs(who: Staffer, which: PictureSetting, bytes: Buffer) {
  return sendFile(who, changeLook.path, { bytes }, { which })
}

async function siteInfo() {
  return forum.visitor().call(baseInfo, {})
}

async function filesEver(): Promise<[{ file: string }]> {
  const { changes } = await chief.call(settingHistory, { name: 'logo' })
  return [changes.map(({ before }) => before).find(Boolean) as { file: string }]
}
