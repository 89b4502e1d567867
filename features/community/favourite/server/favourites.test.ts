import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { runs } from '#base/testing/extent.ts'
import { myThread } from '#comment/contract.ts'
import * as contract from '#favourite/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { tallies } from '#post/server/tally.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  topicId = await aTopic(mei, tagId)
})

async function countOf(id = topicId): Promise<number> {
  await tallies.write(forum.database)
  return (await forum.visitor().call(thread, { topicId: id })).favouriteCount
}

test('a favourite counts once, is known to its member alone, and is gone when it is removed', async () => {
  for (let time = 0; time < 2; time++) await tom.call(contract.addFavourite, { topicId })
  await bo.call(contract.addFavourite, { topicId })
  expect(await countOf()).toBe(2)
  expect((await tom.call(myThread, { topicId })).isFavourite).toBe(true)
  expect((await mei.call(myThread, { topicId })).isFavourite).toBe(false)
  for (let time = 0; time < 2; time++) await tom.call(contract.removeFavourite, { topicId })
  expect(await countOf()).toBe(1)
  expect((await tom.call(myThread, { topicId })).isFavourite).toBe(false)
})

test('a thread without access cannot be a favourite, and visitors have no favourites', async () => {
  const { tagId: closed } = await aClosedTag(forum.database)
  await sql`update topic set tag_id = ${closed} where id = ${topicId}`.execute(forum.database.app)
  for (const id of [topicId, '999999']) expect((await tom.tryCall(contract.addFavourite, { topicId: id })).status).toBe(404)
  for (const call of [contract.addFavourite, contract.removeFavourite, contract.favouriteForm])
    expect((await forum.visitor().tryCall(call, { topicId })).status).toBe(401)
  expect((await forum.visitor().tryCall(contract.favouriteList, {})).status).toBe(404)
})

test('the own list has all favourites, newest first, with notes; of a removed one only that it was there', async () => {
  const questionId = await aQuestion(mei, tagId)
  for (const id of [topicId, questionId]) await tom.call(contract.addFavourite, { topicId: id })
  await tom.call(contract.editFavourite, { topicId, note: 'for winter' })
  await mei.call(removeTopic, { topicId: questionId })
  const { favourites, total } = await tom.call(contract.favouriteList, {})
  expect(total).toBe(2)
  expect(favourites).toMatchObject([
    { topicId: questionId, topic: null },
    { topicId, topic: { kind: 'topic', author: { id: mei.id } }, note: 'for winter' },
  ])
})

test('others see the favourites in public folders, without notes, and nothing else', async () => {
  const [other, third] = [await aTopic(mei, tagId), await aTopic(bo, tagId)]
  const { folderId: open } = await tom.call(contract.addFolder, { name: 'Tea', isPublic: true })
  const { folderId: own } = await tom.call(contract.addFolder, { name: 'Mine' })
  for (const id of [topicId, other, third]) await tom.call(contract.addFavourite, { topicId: id })
  await tom.call(contract.editFavourite, { topicId, folderId: open, note: 'secret' })
  await tom.call(contract.editFavourite, { topicId: other, folderId: own, note: 'secret' })
  for (const who of [forum.visitor(), bo]) {
    const { folders, favourites, total } = await who.call(contract.favouriteList, { userId: tom.id })
    expect([folders, total]).toEqual([[{ id: open, name: 'Tea', isPublic: true, count: 1 }], 1])
    expect(favourites).toMatchObject([{ topicId, note: '', folderId: open }])
    expect((await who.tryCall(contract.favouriteList, { userId: tom.id, folderId: own })).status).toBe(404)
  }
  expect((await tom.call(contract.favouriteList, { folderId: own })).favourites.map((one) => one.topicId)).toEqual([other])
  expect((await tom.call(contract.favouriteList, {})).total).toBe(3)
  // A folder that is no longer public.
  await tom.call(contract.editFolder, { folderId: open, name: 'Tea', isPublic: false })
  expect((await bo.call(contract.favouriteList, { userId: tom.id })).total).toBe(0)
})

test('folders have unique names, belong to one member, and leave their favourites when removed', async () => {
  const { folderId } = await tom.call(contract.addFolder, { name: 'Tea' })
  expect(await tom.isRefused(contract.addFolder, { name: 'Tea' }, contract.FolderThere)).toBe(true)
  await bo.call(contract.addFolder, { name: 'Tea' })
  const { folderId: second } = await tom.call(contract.addFolder, { name: 'Pots' })
  expect(await tom.isRefused(contract.editFolder, { folderId: second, name: 'Tea' }, contract.FolderThere)).toBe(true)
  expect(await bo.isRefused(contract.editFolder, { folderId, name: 'Stolen' }, contract.FolderGone)).toBe(true)
  expect((await bo.tryCall(contract.removeFolder, { folderId })).status).toBe(404)
  await bo.call(contract.addFavourite, { topicId })
  expect(await bo.isRefused(contract.editFavourite, { topicId, folderId }, contract.FolderGone)).toBe(true)
  expect((await tom.tryCall(contract.editFavourite, { topicId, folderId })).status).toBe(404)
  await tom.call(contract.addFavourite, { topicId })
  await tom.call(contract.editFavourite, { topicId, folderId, note: 'kept' })
  await tom.call(contract.removeFolder, { folderId })
  expect(await tom.call(contract.favouriteForm, { topicId })).toMatchObject({ folderId: null, note: 'kept', folders: [{ name: 'Pots' }] })
})

test('there are never more folders than may be, however many are made at once', async () => {
  const { app } = forum.database
  await sql`insert into favourite_folder (member_id, name) select ${tom.id}, 'f' || n from generate_series(1, ${contract.maxFolders - 2}) as n`.execute(
    app,
  )
  const results = await Promise.all(Array.from({ length: 5 }, (_, n) => tom.tryCall(contract.addFolder, { name: `new ${n}` })))
  expect(results.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await tom.isRefused(contract.addFolder, { name: 'one more' }, contract.TooManyFolders)).toBe(true)
})

test('an author sees who has their thread as a favourite, and no other member does', async () => {
  await tom.call(contract.addFavourite, { topicId })
  expect((await mei.call(contract.keepers, { topicId })).members.map(({ member }) => member.id)).toEqual([tom.id])
  expect((await bo.tryCall(contract.keepers, { topicId })).status).toBe(404)
})

test('favourites and folders of merged accounts are merged', async () => {
  const other = await aTopic(bo, tagId)
  for (const [who, id] of [
    [tom, topicId],
    [bo, topicId],
    [tom, other],
  ] as const)
    await who.call(contract.addFavourite, { topicId: id })
  for (const who of [tom, bo]) {
    const { folderId } = await who.call(contract.addFolder, { name: 'Tea' })
    await who.call(contract.editFavourite, { topicId, folderId, note: who.account })
  }
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: bo.account, reason: 'one and the same' })
  await resume(forum.database)
  const { folders, favourites } = await bo.call(contract.favouriteList, {})
  expect(folders).toMatchObject([{ name: 'Tea', count: 1 }])
  expect(favourites.map((one) => [one.topicId, one.note]).toSorted()).toEqual(
    [
      [topicId, bo.account],
      [other, ''],
    ].toSorted(),
  )
  expect([await countOf(), await countOf(other)]).toEqual([1, 1])
})

test('merged folders of one name are public only if both were', async () => {
  for (const [who, isPublic] of [
    [tom, false],
    [bo, true],
  ] as const) {
    const { folderId } = await who.call(contract.addFolder, { name: 'Tea' })
    await who.call(contract.editFolder, { folderId, name: 'Tea', isPublic })
  }
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: bo.account, reason: 'one and the same' })
  await resume(forum.database)
  expect((await bo.call(contract.favouriteList, {})).folders).toMatchObject([{ name: 'Tea', isPublic: false }])
})

test('after any additions and removals by several members at once, the count equals a recount', async () => {
  const people = [mei, tom, bo]
  const action = fc.record({ who: fc.nat(2), adds: fc.boolean(), counts: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 15 }), async (actions) => {
      await Promise.all(
        actions.map(async ({ who, adds, counts }) => {
          await people[who]?.call(adds ? contract.addFavourite : contract.removeFavourite, { topicId })
          if (counts) await tallies.write(forum.database)
        }),
      )
      const { count } = await forum.database.app
        .selectFrom('favourite')
        .select((row) => row.fn.countAll<string>().as('count'))
        .where('topic_id', '=', topicId)
        .executeTakeFirstOrThrow()
      expect(await countOf()).toBe(Number(count))
    }),
    { numRuns: runs(15) },
  )
})

test('the name of a public folder is checked for sensitive words, that of a private one is not', async () => {
  await aList(chief, 'refuse', 'gribble')
  const named = { name: 'My gribble', isPublic: true }
  const refused = { status: WordsInField.status, body: { error: { name: expect.any(String) } } }
  expect(await mei.tryCall(contract.addFolder, named)).toMatchObject(refused)
  const { folderId } = await mei.call(contract.addFolder, { ...named, isPublic: false })
  expect(await mei.tryCall(contract.editFolder, { folderId, ...named })).toMatchObject(refused)
})
