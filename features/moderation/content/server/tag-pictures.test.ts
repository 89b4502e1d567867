import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { removeTag } from '#content/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import fileWords from '#file/words/en.json' with { type: 'json' }
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import * as tags from '#tag/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import userWords from '#user/words/en.json' with { type: 'json' }

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const whole = { x: 0, y: 0, width: 40, height: 40 }
let tagCount = 0
const form = (more = {}) => ({ key: `made-${++tagCount}`, nameZh: '绿茶', nameEn: 'Green tea', ...more })
const png = () => plain().png().toBuffer()
const send = (who: Visitor, bytes: Buffer, crop: Record<string, string | number> = whole) =>
  sendFile(who, '/admin/tag/picture', { bytes }, crop)
const upload = async (who: Visitor = chief): Promise<string> => (await send(who, await png())).json().file
const standing = async (tagId: string) => (await chief.call(tags.tagsForStaff, {})).tags.find(({ id }) => id === tagId)
const seen = async (tagId: string, who: Visitor = forum.visitor()) =>
  (await who.call(tags.listTags, {})).tags.flatMap((one) => [one, ...one.children]).find(({ id }) => id === tagId)
const isUnused = async (id: string) =>
  (await forum.database.app.selectFrom('file').select('unused_since').where('id', '=', id).executeTakeFirstOrThrow()).unused_since !== null

async function aTagWithPicture(more = {}) {
  const picture = await upload()
  return { ...(await chief.call(tags.addTag, form({ ...more, picture }))), picture }
}

test('the chosen square becomes the picture of a tag: small, without metadata, and listed on both levels', async () => {
  const camera = await plain({ width: 400, height: 300 })
    .withExif({ IFD0: { Artist: 'somebody' } })
    .jpeg()
    .toBuffer()
  const answer = (await send(chief, camera, { x: 50, y: 0, width: 300, height: 300 })).json()
  const { tagId: parentId } = await chief.call(tags.addTag, form({ picture: answer.file }))
  const { tagId, picture } = await aTagWithPicture({ parentId })
  expect((await seen(parentId))?.picture).toBe(answer.src)
  expect((await seen(tagId))?.picture).toBe(`/file/${picture}`)
  expect((await standing(tagId))?.picture).toEqual({ file: picture, src: `/file/${picture}` })
  const { statusCode, headers, rawPayload } = await forum.app.inject(answer.src)
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp'])
  const { width, height, exif } = await sharp(rawPayload).metadata()
  expect([width, height, exif]).toEqual([200, 200, undefined])
})

test('a tag without a picture says so, and one saved unchanged keeps it', async () => {
  expect((await seen(await aTag(forum.database)))?.picture).toBeNull()
  const { tagId, picture } = await aTagWithPicture()
  await chief.call(tags.editTag, { tagId, version: 1, ...form() })
  await chief.call(tags.editTag, { tagId, version: 2, ...form({ picture }) })
  expect([(await seen(tagId))?.picture, await isUnused(picture)]).toEqual([`/file/${picture}`, false])
})

test('a picture that is replaced, removed, or of a removed tag is cleaned up, and the log has each', async () => {
  const { tagId, picture: first } = await aTagWithPicture()
  const second = await upload()
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ picture: second }) })
  expect([await isUnused(first), await isUnused(second)]).toEqual([true, false])
  await chief.call(tags.editTag, { tagId, version: 2, ...form({ picture: '' }) })
  expect([await isUnused(second), (await seen(tagId))?.picture]).toEqual([true, null])
  const { rows } = await chief.call(auditLog, { about: `tag ${tagId}` })
  const pictures = rows.map(({ before, after }) => [before, after].map((one) => (one as { picture?: string } | null)?.picture))
  expect(pictures).toEqual([
    [second, null],
    [first, second],
    [undefined, first],
  ])

  const other = await aTagWithPicture()
  await chief.call(removeTag, { tagId: other.tagId })
  expect(await isUnused(other.picture)).toBe(true)
})

test('a save over another’s change is refused, and its picture stays unused', async () => {
  const { tagId, picture: first } = await aTagWithPicture()
  const mine = await upload()
  await chief.call(tags.editTag, { tagId, version: 1, ...form({ picture: '' }) })
  expect(await chief.isRefused(tags.editTag, { tagId, version: 1, ...form({ picture: mine }) }, tags.TagChangedSince)).toBe(true)
  expect([await isUnused(mine), await isUnused(first)]).toEqual([true, true])
})

test('two tags naming one picture at once end with one that has it', async () => {
  const picture = await upload()
  const tries = await Promise.all([1, 2, 3].map(() => chief.tryCall(tags.addTag, form({ picture }))))
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
})

test('no file but one just uploaded for it becomes the picture of a tag: not that of others, of a post, of a face or of another tag', async () => {
  const [mei, clerk] = [await forum.member(), await aStaffer(forum, ['tag.manage', 'content.edit'])]
  const face = async (who: Visitor) => (await sendFile(who, '/user/control/updateAvatar', { bytes: await png() }, whole)).json().avatar
  const files = [
    (await sendFile(mei, '/file/picture', { bytes: await png() })).json().file,
    (await sendFile(clerk, '/admin/file/picture', { bytes: await png() })).json().file,
    (await face(mei)).replace('/file/', ''),
    (await aTagWithPicture()).picture,
    await upload(chief),
    'f_0123456789012345678901',
  ]
  const { tagId } = await clerk.call(tags.addTag, form())
  const before = await Promise.all(files.slice(0, -1).map(isUnused))
  for (const picture of files) {
    expect(await clerk.isRefused(tags.addTag, form({ picture }), tags.PictureNotNew), picture).toBe(true)
    expect(await clerk.isRefused(tags.editTag, { tagId, version: 1, ...form({ picture }) }, tags.PictureNotNew), picture).toBe(true)
  }
  expect(await Promise.all(files.slice(0, -1).map(isUnused))).toEqual(before)
  expect((await clerk.tryCall(tags.addTag, form({ picture: '../../etc/passwd' }))).status).toBe(422)
  expect((await clerk.tryCall(tags.addTag, form({ picture: await upload(clerk) }))).status).toBe(200)
})

test('a file that is no picture or too large, or a crop that is not square, is refused at its field', async () => {
  expect((await send(chief, Buffer.from('<svg/>'))).json().error).toEqual({
    picture: fileWords.pictureOfUnknownKind.replace('{kinds}', 'JPEG, PNG, WebP, GIF, AVIF'),
  })
  expect((await send(chief, Buffer.alloc(5 * 1024 * 1024 + 1))).json().error.picture).toMatch(/limit is 5 MB/)
  expect((await send(chief, await png(), { ...whole, x: 21 })).json().error).toEqual({ picture: fileWords.cropOutside })
  expect((await send(chief, await png(), { ...whole, height: 39 })).json().error).toEqual({ height: userWords.cropNotSquare })
  expect((await sendFile(chief, '/admin/tag/picture', null, whole)).json().error).toEqual({ picture: fileWords.pictureMissing })
})

test('only staff who manage tags may upload a picture for one', async () => {
  const people = [forum.visitor(), await forum.member(), await aStaffer(forum, ['content.edit'])]
  const answers = []
  for (const who of people) answers.push((await send(who, await png())).statusCode)
  expect(answers).toEqual([401, 401, 403])
})

test('the picture of a tag that is closed is named only where the tag is', async () => {
  const { tagId, admit } = await aClosedTag(forum.database)
  const picture = await upload()
  await chief.call(tags.editTag, {
    tagId,
    version: 1,
    ...form({ isRestricted: true, access: (await standing(tagId))?.access ?? [], picture }),
  })
  const insider = await forum.member()
  await admit(insider.id)
  expect((await seen(tagId, insider))?.picture).toBe(`/file/${picture}`)
  for (const who of [forum.visitor(), await forum.member()])
    expect(JSON.stringify(await who.call(tags.listTags, {}))).not.toContain(picture)
})
