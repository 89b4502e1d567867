import fc from 'fast-check'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { beforeAll, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { addComment, listComments } from '#comment/contract.ts'
import { aComment, manyComments } from '#comment/testing/factories.ts'
import { addToken, tokens } from '#mcp/contract.ts'
import { addNote, banMember, memberView, restoreMember, SpeaksForStaff, WasMerged } from '#member/contract.ts'
import { approveReview, ownWaiting, reviewQueue } from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { transact } from '#base/server/database/database.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runs } from '#base/testing/extent.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as contract from '#member-cleanup/contract.ts'
import { resume, step } from '#member-cleanup/server/merge.ts'
import { postsPerTransaction } from '#member-cleanup/server/post-batch.ts'
import { have, talkOf, wrongCounts } from '#member-cleanup/testing/factories.ts'
import { editTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagIds: string[]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagIds = [await aTag(forum.database), await aTag(forum.database)]
})

const merge = (from: Person, into: Person) => ({
  memberId: from.id,
  account: from.account,
  into: into.account,
  reason: 'one and the same',
})

async function merged(from: Person, into: Person): Promise<void> {
  await chief.call(contract.mergeMembers, merge(from, into))
  await resume(forum.database)
}

test('all posts belong to the other member, who may continue with them, and the first account is ended', async () => {
  const [old, mei] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(old, tagIds[0] ?? '')
  await aComment(mei, topicId)
  await aComment(old, topicId)
  await merged(old, mei)
  expect((await forum.visitor().call(thread, { topicId })).author.id).toBe(mei.id)
  expect((await forum.visitor().call(listComments, { topicId, onlyAuthor: true })).comments).toHaveLength(2)
  await mei.call(editTopic, { topicId, title: 'Now mine', body: says('and always was') })
  expect((await forum.visitor().tryCall(login, { account: old.account, password: old.password })).status).toBe(422)
  expect(await chief.call(memberView, { memberId: old.id })).toMatchObject({
    state: 'cancelled',
    mergedInto: mei.id,
    topics: 0,
    comments: 0,
  })
  expect(await chief.call(memberView, { memberId: mei.id })).toMatchObject({ topics: 1, comments: 2 })
})

test('after any discussion, all counts are right and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(talkOf(3), async (talk) => {
      const people = [await forum.member(), await forum.member(), await forum.member()]
      const [old, mei] = people as [Person, Person, Person]
      await have(talk, people, tagIds)
      const posts = async (one: Person) => {
        const { topics, comments, replies } = await chief.call(memberView, { memberId: one.id })
        return [topics, comments, replies]
      }
      const [before, more] = [await posts(mei), await posts(old)]
      await merged(old, mei)
      expect(await wrongCounts(forum.database)).toEqual([])
      expect(await posts(mei)).toEqual(before.map((count, place) => count + (more[place] ?? 0)))
    }),
    { numRuns: runs(8), endOnFailure: true },
  )
})

test('a member cannot be merged with themselves, a deactivated one, or an official member', async () => {
  const [old, mei, mergedMember] = [await forum.member(), await forum.member(), await forum.member()]
  await merged(mergedMember, mei)
  const { account } = await chief.call(me, {})
  expect(await chief.isRefused(contract.mergeMembers, merge(old, old), contract.SameMember)).toBe(true)
  expect(await chief.isRefused(contract.mergeMembers, { ...merge(old, mei), into: 'nobody' }, contract.NobodyCalledSo)).toBe(true)
  expect(await chief.isRefused(contract.mergeMembers, merge(old, mergedMember), contract.GoneAlready)).toBe(true)
  expect(await chief.isRefused(contract.mergeMembers, { ...merge(old, mei), account: mei.account }, contract.NotItsName)).toBe(true)
  expect(await chief.isRefused(contract.mergeMembers, { ...merge(old, mei), into: account }, SpeaksForStaff)).toBe(true)
  expect(await chief.isRefused(contract.mergeLook, { memberId: old.id, into: account }, SpeaksForStaff)).toBe(true)
  expect(await chief.isRefused(contract.mergeLook, { memberId: old.id, into: mergedMember.account }, contract.GoneAlready)).toBe(true)
  expect((await chief.tryCall(contract.mergeLook, { memberId: '999999', into: mei.account })).status).toBe(404)
})

test('posts in review go over, and the preview counts them', async () => {
  const [old, mei] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagIds[0] ?? '')
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  try {
    await old.call(addComment, { topicId, body: says('It waits') })
  } finally {
    await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'nobody', 'test'))
  }
  await chief.call(addNote, { memberId: old.id, text: 'Came from the old house' })
  const look = { memberId: old.id, into: mei.account }
  expect(await chief.call(contract.mergeLook, look)).toMatchObject({ into: { id: mei.id }, waiting: 1, bans: [], notes: 1, drafts: 0 })
  await merged(old, mei)
  expect((await mei.call(ownWaiting, {})).posts).toHaveLength(1)
  const [waiting] = (await chief.call(reviewQueue, { size: 200 })).rows.filter(({ author }) => author.id === mei.id)
  await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
  expect((await forum.visitor().call(listComments, { topicId })).comments[0]?.author?.id).toBe(mei.id)
  expect((await chief.call(memberView, { memberId: mei.id })).notes).toMatchObject([{ text: 'Came from the old house' }])
})

test('the longer ban of the two holds after it', async () => {
  const [old, mei] = [await forum.member(), await forum.member()]
  const [soon, late] = [1, 9].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const ban = { reason: 'Too loud' }
  await chief.call(banMember, { ...ban, memberId: old.id, from: ['comment'] })
  await chief.call(banMember, { ...ban, memberId: old.id, from: ['topic'], endsAt: soon })
  await chief.call(banMember, { ...ban, memberId: old.id, from: ['reply'], endsAt: late })
  await chief.call(banMember, { ...ban, memberId: mei.id, from: ['topic'], endsAt: late })
  await chief.call(banMember, { ...ban, memberId: mei.id, from: ['reply'], endsAt: soon })
  await merged(old, mei)
  const { bans } = await chief.call(memberView, { memberId: mei.id })
  const running = bans.filter(({ isRunning }) => isRunning).map(({ from, endsAt }) => [from, endsAt])
  expect(running.toSorted()).toEqual([
    ['comment', null],
    ['reply', late],
    ['topic', late],
  ])
})

test('tokens of the account that ended end with it, and those of the other stay', async () => {
  const [old, mei] = [await forum.member(), await forum.member()]
  await transact(forum.database, (tx) => applySettings(tx, { allowMcp: true }))
  const make = async (who: Person) => (await who.call(addToken, { name: 'My notes' })).token
  const [theirs, hers] = [await make(old), await make(mei)]
  await merged(old, mei)
  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    return (await forum.app.inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode
  }
  expect([await status(theirs), await status(hers)]).toEqual([401, 200])
  expect((await mei.call(tokens, {})).tokens).toHaveLength(1)
  const left = forum.database.app.selectFrom('personal_access_token').select('id').where('member_id', '=', old.id)
  expect(await left.execute()).toEqual([])
})

test('an account that was merged is not brought back empty', async () => {
  const [old, mei] = [await forum.member(), await forum.member()]
  await merged(old, mei)
  expect(await chief.isRefused(restoreMember, { memberId: old.id }, WasMerged, newIdempotencyKey())).toBe(true)
})

test('posts go over in steps; each leaves the counts right and resumes after a crash, while others write', async () => {
  const [old, mei, lin] = [await forum.member(), await forum.member(), await forum.member()]
  const [own, hers] = [await aTopic(old, tagIds[0] ?? ''), await aTopic(mei, tagIds[1] ?? '')]
  await manyComments(forum.database, old.id, own, postsPerTransaction)
  await manyComments(forum.database, old.id, hers, postsPerTransaction + 7)
  await chief.call(contract.mergeMembers, merge(old, mei))
  expect((await forum.visitor().tryCall(login, { account: old.account, password: old.password })).status).toBe(422)
  const { app } = forum.database
  const { id } = await app.selectFrom('member_merge').select('id').where('from_id', '=', old.id).executeTakeFirstOrThrow()
  await transact(forum.database, (tx) => step(tx, id))
  expect(await wrongCounts(forum.database)).toEqual([])

  // A crash in the middle of a step rolls the step back.
  const died = transact(forum.database, async (tx) => {
    await step(tx, id)
    throw new Error('died')
  })
  await expect(died).rejects.toThrow('died')
  const busy = await Promise.all([
    chief.tryCall(contract.mergeMembers, merge(lin, mei)),
    chief.tryCall(contract.clean, { memberId: mei.id, reason: 'spam' }),
    chief.tryCall(contract.clean, { memberId: old.id, reason: 'spam' }),
  ])
  expect(busy.map(({ status }) => status)).toEqual([422, 422, 422])

  const writes = [mei, lin].flatMap((who) => [own, hers].flatMap((topicId) => Array.from({ length: 5 }, () => aComment(who, topicId))))
  await Promise.all([resume(forum.database), resume(forum.database), ...writes])
  expect(await wrongCounts(forum.database)).toEqual([])
  expect(await chief.call(memberView, { memberId: old.id })).toMatchObject({ topics: 0, comments: 0 })
  expect(await chief.call(memberView, { memberId: mei.id })).toMatchObject({ topics: 2, comments: 2 * postsPerTransaction + 17 })
  const row = await app.selectFrom('member_merge').select(['status', 'moved']).where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'merged', moved: 2 * postsPerTransaction + 8 })
  expect(await chief.isRefused(contract.mergeMembers, merge(old, lin), WasMerged)).toBe(true)
})
