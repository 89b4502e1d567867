import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { runs } from '#base/testing/extent.ts'
import { myThread } from '#comment/contract.ts'
import * as contract from '#follow/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { notificationList } from '#notification/notification-contract.ts'
import { removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { ActivityHidden, editProfile } from '#user/contract.ts'
import { documentWith, mention, paragraph } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

const whom = (person: Person) => ({ of: 'member' as const, id: person.id })
const countsOf = async (person: Person) => (await forum.visitor().call(contract.followOfMember, { userId: person.id })).counts
const followersOf = async (person: Person) => (await person.call(contract.followerList, {})).followers.map(({ member }) => member.id)
const hide = (person: Person) => person.call(editProfile, { nickname: '', showsActivity: false })

async function mergedInto(old: Person, into: Person): Promise<void> {
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason: 'one and the same' })
  await resume(forum.database)
}

describe('following', () => {
  test('a member counts once, and is gone with the unfollow', async () => {
    for (let time = 0; time < 3; time++) await tom.call(contract.addFollow, whom(mei))
    await bo.call(contract.addFollow, whom(mei))
    expect(await countsOf(mei)).toEqual({ following: 0, followers: 2 })
    expect(await countsOf(tom)).toEqual({ following: 1, followers: 0 })
    expect(await followersOf(mei)).toEqual([bo.id, tom.id])
    expect(await tom.call(contract.followOfMember, { userId: mei.id })).toMatchObject({ isFollowed: true, canBeFollowed: true })
    for (let time = 0; time < 2; time++) await tom.call(contract.removeFollow, whom(mei))
    expect(await countsOf(mei)).toEqual({ following: 0, followers: 1 })
    expect(await tom.call(contract.followOfMember, { userId: mei.id })).toMatchObject({ isFollowed: false })
  })

  test('is not for visitors, of oneself, of a deactivated member, or of a missing thread', async () => {
    const topicId = await aTopic(mei, tagId)
    const { tagId: closed } = await aClosedTag(forum.database)
    const hidden = await aTopic(mei, tagId)
    await sql`update topic set tag_id = ${closed} where id = ${hidden}`.execute(forum.database.app)
    for (const call of [contract.addFollow, contract.removeFollow])
      expect((await forum.visitor().tryCall(call, whom(mei))).status).toBe(401)
    for (const call of [contract.block, contract.unblock])
      expect((await forum.visitor().tryCall(call, { userId: mei.id, way: 'muted' as const })).status).toBe(401)
    for (const call of [contract.followMine, contract.blockList]) expect((await forum.visitor().tryCall(call, {})).status).toBe(401)
    expect(await mei.isRefused(contract.addFollow, whom(mei), contract.Yourself)).toBe(true)
    expect(await mei.isRefused(contract.block, { userId: mei.id, way: 'muted' }, contract.Yourself)).toBe(true)
    const mergedMember = await forum.member()
    await mergedInto(mergedMember, bo)
    const nobody = [whom(mergedMember), { of: 'topic', id: hidden }, { of: 'tag', id: closed }] as const
    for (const of of contract.followables) expect((await tom.tryCall(contract.addFollow, { of, id: '999999' })).status).toBe(404)
    for (const target of nobody) expect((await tom.tryCall(contract.addFollow, target)).status).toBe(404)
    await mei.call(removeTopic, { topicId })
    expect((await tom.tryCall(contract.addFollow, { of: 'topic', id: topicId })).status).toBe(404)
    expect(await sql`select from follow where member_id = ${tom.id}`.execute(forum.database.app)).toMatchObject({ rows: [] })
  })

  test('of a thread and of its author is known to the follower, in the one call for their own data', async () => {
    const topicId = await aTopic(mei, tagId)
    await tom.call(contract.addFollow, { of: 'topic', id: topicId })
    expect((await tom.call(myThread, { topicId })).follows).toEqual({ level: 'watching', author: false })
    await tom.call(contract.addFollow, whom(mei))
    expect((await tom.call(myThread, { topicId })).follows).toEqual({ level: 'watching', author: true })
    expect((await bo.call(myThread, { topicId })).follows).toEqual({ level: 'normal', author: false })
  })

  test('from two tabs at once ends as the last one said', async () => {
    await Promise.all(Array.from({ length: 6 }, () => tom.call(contract.addFollow, whom(mei))))
    expect(await countsOf(mei)).toEqual({ following: 0, followers: 1 })
    await Promise.all([tom.call(contract.removeFollow, whom(mei)), tom.call(contract.removeFollow, whom(mei))])
    expect(await countsOf(mei)).toEqual({ following: 0, followers: 0 })
  })

  test('has a limit: a member at the limit must unfollow something first', async () => {
    await sql`
      insert into follow (of, of_id, member_id) select 'topic', 1000000 + n, ${tom.id} from generate_series(1, ${contract.maxFollowed}) as n`.execute(
      forum.database.app,
    )
    expect(await tom.isRefused(contract.addFollow, whom(mei), contract.TooManyFollowed)).toBe(true)
  })
})

describe('the followed', () => {
  test('is a list for each kind, newest first; with removed items for its owner, and accessible ones for others', async () => {
    const [topicId, questionId] = [await aTopic(mei, tagId), await aQuestion(mei, tagId)]
    const { tagId: closed, admit } = await aClosedTag(forum.database)
    await admit(tom.id)
    for (const id of [topicId, questionId]) await tom.call(contract.addFollow, { of: 'topic', id })
    for (const id of [tagId, closed]) await tom.call(contract.addFollow, { of: 'tag', id })
    await tom.call(contract.addFollow, whom(mei))
    await mei.call(removeTopic, { topicId })
    const listOf = async (who: Pick<Person, 'call'>, of: contract.Followable) =>
      (await who.call(contract.followList, { userId: tom.id, of })).followed
    expect(await listOf(tom, 'topic')).toMatchObject([
      { id: questionId, thread: { kind: 'question' } },
      { id: topicId, thread: null },
    ])
    expect((await listOf(tom, 'tag')).map(({ id, tag }) => [id, tag?.id])).toEqual([
      [closed, closed],
      [tagId, tagId],
    ])
    expect((await listOf(tom, 'member')).map(({ member }) => member?.id)).toEqual([mei.id])
    for (const who of [bo, forum.visitor()]) {
      expect((await listOf(who, 'topic')).map(({ id }) => id)).toEqual([questionId])
      expect((await listOf(who, 'tag')).map(({ id }) => id)).toEqual([tagId])
    }
    expect(await listOf(forum.visitor(), 'member')).toMatchObject([{ isFollowed: null }])
    expect(await listOf(bo, 'member')).toMatchObject([{ isFollowed: false }])
  })

  test('is private, like the followers, if the member hides their activity', async () => {
    await tom.call(contract.addFollow, whom(mei))
    for (const who of [mei, tom]) await hide(who)
    expect(await bo.isRefused(contract.followList, { userId: tom.id }, ActivityHidden)).toBe(true)
    expect(await bo.isRefused(contract.followerList, { userId: mei.id }, ActivityHidden)).toBe(true)
    expect([await countsOf(mei), (await mei.call(contract.followOfMember, { userId: mei.id })).counts]).toEqual([
      null,
      { following: 0, followers: 1 },
    ])
    expect(await followersOf(mei)).toEqual([tom.id])
    for (const call of [contract.followList, contract.followerList]) expect((await forum.visitor().tryCall(call, {})).status).toBe(401)
  })
})

describe('a blocked member', () => {
  test('follows no more and is followed no more, and is refused without a reason', async () => {
    await tom.call(contract.addFollow, whom(mei))
    await mei.call(contract.addFollow, whom(tom))
    await mei.call(contract.block, { userId: tom.id, way: 'blocked' })
    expect([await countsOf(mei), await countsOf(tom)]).toEqual([
      { following: 0, followers: 0 },
      { following: 0, followers: 0 },
    ])
    expect(await tom.isRefused(contract.addFollow, whom(mei), contract.NotFollowable)).toBe(true)
    expect(await mei.isRefused(contract.addFollow, whom(tom), contract.BlockedByYou)).toBe(true)
    expect(await tom.call(contract.followOfMember, { userId: mei.id })).toMatchObject({ way: null, canBeFollowed: true })
    await mei.call(contract.unblock, { userId: tom.id })
    await tom.call(contract.addFollow, whom(mei))
    expect(await followersOf(mei)).toEqual([tom.id])
  })

  test('is known only to the blocking member, as is a muted one, until it ends', async () => {
    await mei.call(contract.addFollow, whom(tom))
    await mei.call(contract.block, { userId: tom.id, way: 'muted' })
    await mei.call(contract.block, { userId: bo.id, way: 'blocked' })
    expect(await countsOf(tom)).toEqual({ following: 0, followers: 1 })
    expect((await mei.call(contract.followMine, {})).muted.toSorted()).toEqual([tom.id, bo.id].toSorted())
    expect((await tom.call(contract.followMine, {})).muted).toEqual([])
    const { blocked } = await mei.call(contract.blockList, {})
    expect(blocked.map(({ member, way }) => [member.id, way])).toEqual([
      [bo.id, 'blocked'],
      [tom.id, 'muted'],
    ])
    await mei.call(contract.unblock, { userId: bo.id })
    expect((await mei.call(contract.blockList, {})).total).toBe(1)
    expect((await mei.tryCall(contract.block, { userId: '999999', way: 'muted' })).status).toBe(404)
  })

  test('never follows in the end, however a follow and a block meet', async () => {
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        tom.tryCall(contract.addFollow, whom(mei)),
        mei.call(contract.block, { userId: tom.id, way: 'blocked' }),
        mei.tryCall(contract.addFollow, whom(tom)),
      ])
      expect(await followersOf(mei)).toEqual([])
      expect(await followersOf(tom)).toEqual([])
      await mei.call(contract.unblock, { userId: tom.id })
    }
  })
})

describe('notifications', () => {
  const notificationsOf = async (person: Person) => (await person.call(notificationList, {})).notifications.map(({ kind }) => kind)

  test('tell the followed member, until the follow ends, and only of that one', async () => {
    for (const other of [mei, bo]) await tom.call(contract.addFollow, whom(other))
    expect([await notificationsOf(mei), await notificationsOf(bo)]).toEqual([['followed'], ['followed']])
    await tom.call(contract.removeFollow, whom(mei))
    expect([await notificationsOf(mei), await notificationsOf(bo)]).toEqual([[], ['followed']])
    await bo.call(contract.block, { userId: tom.id, way: 'blocked' })
    expect(await notificationsOf(bo)).toEqual([])
  })

  test('tell nothing of a mention by a blocked or muted member, whose text stays as it is', async () => {
    await mei.call(contract.block, { userId: tom.id, way: 'blocked' })
    await mei.call(contract.block, { userId: bo.id, way: 'muted' })
    for (const author of [tom, bo]) {
      const topicId = await aTopic(author, tagId, { body: documentWith(paragraph(mention(mei.id))) })
      expect((await forum.visitor().call(thread, { topicId })).segments[0]?.html).toContain(mei.account)
    }
    expect(await notificationsOf(mei)).toEqual([])
    await mei.call(contract.unblock, { userId: tom.id })
    await aTopic(tom, tagId, { body: documentWith(paragraph(mention(mei.id))) })
    expect(await notificationsOf(mei)).toEqual(['mentioned'])
  })
})

test('follows and followers of merged accounts are merged, without follows of themselves or of blocked members', async () => {
  const [old, into] = [await forum.member(), await forum.member()]
  for (const who of [old, into]) {
    await who.call(contract.addFollow, whom(mei))
    await tom.call(contract.addFollow, whom(who))
  }
  await old.call(contract.addFollow, whom(into))
  await into.call(contract.addFollow, whom(old))
  await old.call(contract.addFollow, { of: 'tag', id: tagId })
  await old.call(contract.addFollow, whom(bo))
  await into.call(contract.block, { userId: bo.id, way: 'blocked' })
  await old.call(contract.block, { userId: bo.id, way: 'muted' })
  await bo.call(contract.block, { userId: old.id, way: 'muted' })
  await mergedInto(old, into)
  expect((await into.call(contract.followList, {})).followed.map(({ id }) => id)).toEqual([mei.id])
  expect((await into.call(contract.followMine, {})).tags).toEqual([{ id: tagId, level: 'tracking' }])
  expect(await followersOf(into)).toEqual([tom.id])
  expect((await into.call(contract.blockList, {})).blocked).toMatchObject([{ member: { id: bo.id }, way: 'blocked' }])
  expect((await bo.call(contract.followMine, {})).muted).toEqual([into.id])
  const { rows } = await sql`
    select from follow where member_id = ${old.id} or (of = 'member' and of_id = ${old.id})
    union all select from member_block where ${old.id} in (member_id, other_id)`.execute(forum.database.app)
  expect(rows).toEqual([])
})

test('after any follows, unfollows and blocks by several members at once, the counts equal a recount', async () => {
  const people = [mei, tom, bo]
  const action = fc.record({ who: fc.nat(2), other: fc.nat(2), what: fc.constantFrom('follow', 'unfollow', 'block', 'unblock') })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 20 }), async (actions) => {
      await Promise.all(
        actions.map(async ({ who, other, what }) => {
          const [one, two] = [people[who] ?? mei, people[other] ?? mei]
          if (what === 'follow') await one.tryCall(contract.addFollow, whom(two))
          if (what === 'unfollow') await one.call(contract.removeFollow, whom(two))
          if (what === 'block') await one.tryCall(contract.block, { userId: two.id, way: 'blocked' })
          if (what === 'unblock') await one.call(contract.unblock, { userId: two.id })
        }),
      )
      const { rows } = await sql<{ of_id: string; member_id: string; blocked: boolean }>`
        select of_id, member_id, exists (
          select from member_block where (member_id, other_id) in ((of_id, follow.member_id), (follow.member_id, of_id))) as blocked
        from follow where of = 'member' and member_id = any(${people.map(({ id }) => id)}::bigint[])`.execute(forum.database.app)
      expect(rows.filter(({ blocked }) => blocked)).toEqual([])
      for (const person of people)
        expect(await countsOf(person)).toEqual({
          following: rows.filter(({ member_id }) => member_id === person.id).length,
          followers: rows.filter(({ of_id }) => of_id === person.id).length,
        })
    }),
    { numRuns: runs(15) },
  )
})
