import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aForum, type Person } from '#base/testing/forum.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import fileWords from '#file/words/en.json' with { type: 'json' }
import { home, removeAvatar } from '#user/contract.ts'
import words from '#user/words/en.json' with { type: 'json' }

const forum = await aForum()
const mei = await forum.member()
const whole = { x: 0, y: 0, width: 40, height: 40 }

test('the chosen square of a picture becomes the avatar for all readers', async () => {
  const answer = await send(mei, await redOverBlue(), { x: 0, y: 100, width: 100, height: 100 })
  const { avatar } = answer.json()
  expect(avatar).toMatch(/^\/file\/f_[\w-]{22}$/)
  expect((await forum.visitor().call(home, { userId: mei.id })).user.avatar).toBe(avatar)

  const { rawPayload } = await forum.app.inject(avatar)
  const { data, info } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([200, 200])
  expect([(data[0] ?? 0) < 60, (data[2] ?? 0) > 200]).toEqual([true, true])
})

test('the square is in the picture as it is shown, not as the camera held it', async () => {
  const lying = await sharp(await redOverBlue())
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await send(mei, lying, { x: 0, y: 100, width: 100, height: 100 })).statusCode).toBe(200)
  expect((await send(mei, lying, { x: 100, y: 0, width: 100, height: 100 })).statusCode).toBe(422)
})

test('numbers that are no square within the picture are refused', async () => {
  const lin = await forum.member()
  const bytes = await plain().png().toBuffer()
  expect((await send(lin, bytes, { ...whole, x: 21 })).json().error).toEqual({ picture: fileWords.cropOutside })
  expect((await send(lin, bytes, { ...whole, height: 39 })).json().error).toEqual({ height: words.cropNotSquare })
  for (const wrong of [{ x: -1 }, { y: 1.5 }, { width: 0 }, { width: 'many' }, { x: 1e9 }]) {
    const answer = await send(lin, bytes, { ...whole, ...wrong })
    expect([answer.statusCode, Object.keys(answer.json().error)], JSON.stringify(wrong)).toEqual([
      422,
      expect.arrayContaining(Object.keys(wrong)),
    ])
  }
  expect((await sendFile(lin, '/user/control/updateAvatar', { bytes })).statusCode).toBe(422)
})

test('more than five megabytes, or no picture at all, is refused at its field', async () => {
  const lin = await forum.member()
  expect((await send(lin, Buffer.alloc(5 * 1024 * 1024 + 1), whole)).json().error.picture).toMatch(/limit is 5 MB/)
  expect((await send(lin, Buffer.from('<svg/>'), whole)).json().error).toEqual({
    picture: fileWords.pictureOfUnknownKind.replace('{kinds}', 'JPEG, PNG, WebP, GIF, AVIF'),
  })
})

test('a new avatar lets the old one go, and removing it brings back the letters', async () => {
  const lin = await forum.member()
  const bytes = await plain().png().toBuffer()
  const first = (await send(lin, bytes, whole)).json().avatar
  const second = (await send(lin, bytes, whole)).json().avatar
  expect(await unused(lin)).toEqual([first])
  expect((await lin.call(removeAvatar, {})).avatar).toBeNull()
  expect((await unused(lin)).sort()).toEqual([first, second].sort())
})

test('two changes at once leave one avatar in use', async () => {
  const lin = await forum.member()
  const bytes = await plain().png().toBuffer()
  const sent = await Promise.all([1, 2, 3].map(() => send(lin, bytes, whole)))
  expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  const { avatar } = (await lin.call(home, {})).user
  expect(await unused(lin)).toHaveLength(2)
  expect(await unused(lin)).not.toContain(avatar)
})

test('a visitor, or a member without the right, may not', async () => {
  const bytes = await plain().png().toBuffer()
  expect((await sendFile(forum.visitor(), '/user/control/updateAvatar', { bytes }, whole)).statusCode).toBe(401)
  expect((await forum.visitor().tryCall(removeAvatar, {})).status).toBe(401)

  await forum.database.app.deleteFrom('role_right').where('right_name', '=', 'avatar.change').execute()
  forum.database.invalidations.announce(new Set(['role']))
  const lin = await forum.member()
  expect((await send(lin, bytes, whole)).statusCode).toBe(403)
  expect((await lin.tryCall(removeAvatar, {})).status).toBe(403)
})

function send(who: Person, bytes: Buffer, crop: Record<string, string | number>) {
  return sendFile(who, '/user/control/updateAvatar', { bytes }, crop)
}

function redOverBlue(): Promise<Buffer> {
  const blue = { input: { create: { width: 100, height: 100, channels: 3 as const, background: '#0000ff' } }, top: 100, left: 0 }
  return plain({ width: 100, height: 200 }, '#ff0000').composite([blue]).png().toBuffer()
}

async function unused(who: Person): Promise<string[]> {
  const rows = await forum.database.app
    .selectFrom('file')
    .select(sql<string>`'/file/' || id`.as('src'))
    .where('owner_id', '=', who.id)
    .where('unused_since', 'is not', null)
    .execute()
  return rows.map((row) => row.src)
}
