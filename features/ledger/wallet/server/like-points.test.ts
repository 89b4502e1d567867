import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runs } from '#base/testing/extent.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { restoreRemark } from '#content/contract.ts'
import { addLike, removeLike } from '#like/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { tallies } from '#post/server/tally.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { previewRules } from '#wallet/adjust-contract.ts'
import { point, pointRules } from '#wallet/log-contract.ts'
import { settleRewards } from '#wallet/server/reward.ts'
import * as wallet from '#wallet/server/wallet.ts'

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
  await rules({
    likedPoints: 2,
    likedPointsPerDay: 0,
    likedPointsPerDayFromOneMember: 0,
    topicPoints: 0,
    commentPoints: 0,
    pointsPerDay: 0,
  })
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

async function rules(settings: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, settings))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const counted = () => tallies.write(forum.database)
const pointsOf = async ({ id }: Pick<Person, 'id'>) => Number((await wallet.accountsOf(forum.database.reader, id)).points.balance)
const breaches = () => wallet.breachesIn(forum.database, wallet.ledgerChecks, null)
const topicOf = async (who: Person) => ({ kind: 'topic' as const, id: await aTopic(who, tagId) })

async function likes(who: Person, post: { kind: 'topic' | 'comment'; id: string }): Promise<void> {
  await who.call(addLike, post)
  await counted()
}

test('a like gives nothing unless staff say so', async () => {
  await rules({ likedPoints: 0 })
  const post = await topicOf(mei)
  await likes(tom, post)
  expect(await pointsOf(mei)).toBe(0)
  expect((await forum.visitor().call(pointRules, {})).rules.find(({ rule }) => rule === 'liked')).toMatchObject({ points: 0 })
})

test('a like gives its points when it is counted, once however often it is taken back and given anew', async () => {
  const post = await topicOf(mei)
  await tom.call(addLike, post)
  expect(await pointsOf(mei)).toBe(0)
  await counted()
  expect(await pointsOf(mei)).toBe(2)
  const seen: number[] = []
  for (const isCounted of [false, true, true]) {
    await tom.call(removeLike, post)
    if (isCounted) await counted()
    seen.push(await pointsOf(mei))
    await likes(tom, post)
    seen.push(await pointsOf(mei))
  }
  expect(seen).toEqual([2, 2, 0, 2, 0, 2])
  await likes(bo, post)
  expect([await pointsOf(mei), await pointsOf(tom)]).toEqual([4, 0])
  expect(await breaches()).toEqual([])
})

test('the log says which points came for a like, and which for the post', async () => {
  await rules({ topicPoints: 3 })
  await likes(tom, await topicOf(mei))
  await rules({ topicPoints: 0 })
  const { rows } = (await mei.call(point, {})).log
  expect(rows.map(({ amount, rule, subject }) => [amount, rule, subject?.kind])).toEqual([
    ['2', 'liked', 'topic'],
    ['3', 'topic', 'topic'],
  ])
})

test('a day gives no more than its limits, in all and from one member', async () => {
  await rules({ likedPointsPerDay: 5, likedPointsPerDayFromOneMember: 3 })
  const posts = [await topicOf(mei), await topicOf(mei), await topicOf(mei)]
  const earned: number[] = []
  for (const who of [tom, bo])
    for (const post of posts) {
      await likes(who, post)
      earned.push(await pointsOf(mei))
    }
  expect(earned).toEqual([2, 3, 3, 5, 5, 5])
  const { rules: all } = await forum.visitor().call(pointRules, {})
  expect(all.find(({ rule }) => rule === 'liked')).toEqual({ rule: 'liked', points: 2, most: 5, mostFromOne: 3 })
})

test('a removed post loses them, and a restored one has them again for the likes it has then', async () => {
  const topicId = await aTopic(tom, tagId)
  const commentId = await aComment(mei, topicId)
  const post = { kind: 'comment' as const, id: commentId }
  for (const who of [tom, bo]) await likes(who, post)
  expect(await pointsOf(mei)).toBe(4)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await pointsOf(mei)).toBe(0)
  await bo.call(removeLike, post)
  await counted()
  await chief.call(restoreRemark, { kind: 'comment', id: commentId })
  await counted()
  expect(await pointsOf(mei)).toBe(2)
  expect(await breaches()).toEqual([])
})

test('while the books are frozen likes count, and give and lose their points after the thaw', async () => {
  const [one, other] = [await topicOf(mei), await topicOf(mei)]
  await likes(tom, one)
  await sql`select ledger.freeze('A test', null)`.execute(forum.database.app)
  await tom.call(removeLike, one)
  await likes(bo, other)
  expect(await pointsOf(mei)).toBe(2)
  await sql`select ledger.thaw('A test', 1)`.execute(forum.database.app)
  while (await transact(forum.database, settleRewards));
  expect(await pointsOf(mei)).toBe(2)
  await likes(tom, one)
  expect(await pointsOf(mei)).toBe(4)
  expect(await breaches()).toEqual([])
})

async function mergedInto(old: Person, into: Person): Promise<void> {
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason: 'one and the same' })
  await resume(forum.database)
  await counted()
}

test('merged accounts earn nothing of each other, and of others once', async () => {
  const [own, liked] = [await topicOf(mei), await topicOf(bo)]
  await likes(tom, own)
  for (const who of [tom, mei]) await likes(who, liked)
  expect([await pointsOf(mei), await pointsOf(bo)]).toEqual([2, 4])
  await mergedInto(tom, mei)
  expect([await pointsOf(mei), await pointsOf(bo)]).toEqual([0, 2])
  const post = await topicOf(bo)
  const twin = await forum.member()
  await likes(twin, post)
  await mergedInto(bo, twin)
  expect(await pointsOf(twin)).toBe(2)
  expect(await breaches()).toEqual([])
})

test('a preview shows staff what likes would have given', async () => {
  const post = await topicOf(mei)
  for (const who of [tom, bo]) await likes(who, post)
  const none = Object.fromEntries(
    ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted'].flatMap((rule) => [
      [`${rule}Points`, 0],
      [`${rule}PointsPerDay`, 0],
    ]),
  )
  const baseRules = { ...none, likedPoints: 7, likedPointsPerDay: 0, likedPointsPerDayFromOneMember: 0, pointsPerDay: 0 } as never
  const of = async (changes: object) =>
    (await chief.call(previewRules, { ...(baseRules as object), ...changes } as never)).rules.find(({ rule }) => rule === 'liked')
  const free = await of({})
  expect(free?.wanted).toBe(7 * (free?.posts ?? 0))
  expect((await of({ likedPointsPerDayFromOneMember: 3 }))?.wanted).toBeLessThan(free?.wanted ?? 0)
  expect((await of({ likedPoints: 0 }))?.wanted).toBe(0)
})

type Action = { does: 'like' | 'unlike' | 'remove' | 'restore' | 'count'; who: number; what: number }
const actions = fc.array(
  fc.record<Action>({ does: fc.constantFrom('like', 'unlike', 'remove', 'restore', 'count'), who: fc.nat(2), what: fc.nat(2) }),
  { minLength: 8, maxLength: 30 },
)

test('after any likes, unlikes, removals and restores, points equal a recount, and the books are right', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      const people = [await forum.member(), await forum.member(), await forum.member()] as const
      const topicId = await aTopic(await forum.member(), tagId)
      const posts = await Promise.all(people.map(async (who) => ({ kind: 'comment' as const, id: await aComment(who, topicId), by: who })))
      for (const { does, who, what } of all) {
        const [person, post] = [people[who], posts[what]]
        if (!person || !post) continue
        const { kind, id, by } = post
        if (does === 'count') await counted()
        else if (does === 'like') await person.tryCall(addLike, { kind, id })
        else if (does === 'unlike') await person.tryCall(removeLike, { kind, id })
        else if (does === 'remove') await by.tryCall(removeRemark, { kind: 'comment', id })
        else await chief.tryCall(restoreRemark, { kind, id })
      }
      await counted()
      for (const { id, by } of posts) {
        const { rows } = await sql<{ likes: number }>`
          select count(*)::int as likes from post_like join comment on comment.id = post_id and status = 'published'
          where post_kind = 'comment' and post_id = ${id}`.execute(forum.database.reader)
        expect(await pointsOf(by)).toBe(2 * (rows[0]?.likes ?? 0))
      }
      expect(await breaches()).toEqual([])
    }),
    { numRuns: runs(8), endOnFailure: true },
  )
})
