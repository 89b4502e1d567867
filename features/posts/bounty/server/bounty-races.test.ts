import { afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member, Staff } from '#base/server/http/route.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runConcurrently, runRounds, type Action } from '#base/testing/races.ts'
import { endIfDue } from '#bounty/server/due.ts'
import { letEnd, standingOf } from '#bounty/testing/factories.ts'
import { raise } from '#bounty/server/offer.ts'
import * as comments from '#comment/server/comment.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import * as move from '#content/server/move.ts'
import * as posts from '#post/server/post.ts'
import { adopt } from '#question/server/adopt.ts'
import { ask } from '#question/server/ask.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { toMinor } from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { says } from '#writing/testing/factories.ts'

const client: ClientInfo = {
  origin: '',
  ip: '127.0.0.1',
  isLocal: false,
  language: 'en',
  userAgent: 'test',
  authorization: undefined,
  csrf: '',
}

type Round = { id: string; first: string; second: string; asker: Member; tom: Member; eve: Member }

let forum: Forum
let tagId = ''
let staff: Staff

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await aStaffer(forum)
  const { id, speaks_as } = await forum.database.app.selectFrom('staff').select(['id', 'speaks_as']).executeTakeFirstOrThrow()
  const hand = { id, account: 'chief', sessionId: '', isAdministrator: true, may: () => true, provedAt: new Date() }
  staff = { ...asMember(speaks_as), staff: hand }
  await transact(forum.database, (tx) => applySettings(tx, { questionPoints: 0, answerPoints: 0, commentPoints: 0, adoptedPoints: 0 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})
afterEach(async () => {
  const wrong = [...(await checkLedger(forum.database, bookChecks, { isFull: true })), ...(await wrongCounts(forum.database.app))]
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
})

function asMember(id: string): Member {
  return { id, sessionId: '', audience: '', may: (right) => !right.endsWith('unreviewed'), where: () => ({ except: [] }) }
}

/** One question per round, each by one of a few askers, with a bounty of 50 points and two answers. */
async function prepared(): Promise<Round[]> {
  const people: [Member, Member, Member][] = []
  for (let one = 0; one < 8; one++) {
    const member = async () => asMember((await forum.member()).id)
    people.push([await member(), await member(), await member()])
    await endow(forum.database, people[one]?.[0].id ?? '', 50_000)
  }
  const all: Round[] = []
  await runRounds(async (round) => {
    const [asker, tom, eve] = people[round % people.length] ?? []
    if (!asker || !tom || !eve) throw new Error('Nobody is there')
    all[round] = await transact(forum.database, async (tx) => {
      const draft = { tagId, tagIds: [], title: `Question ${round}`, body: says('Why?'), bountyPoints: toMinor(50) }
      const { questionId: id } = await ask(tx, asker, draft)
      return { id, first: await answer(tx, tom, id), second: await answer(tx, eve, id), asker, tom, eve }
    })
  })
  return all
}

async function answer(tx: Db, by: Member, questionId: string): Promise<string> {
  return (await comments.add(tx, by, { kind: 'comment', under: questionId, body: says('So.') })).id
}

/** Runs these concurrently and returns which were not refused; any error but a refusal fails the test. */
async function together(...actions: Action[]): Promise<boolean[]> {
  return runConcurrently(forum.database, actions)
}

/** The share of each person in this question's bounty, and its state. */
async function outcome({ id }: Round): Promise<string> {
  const { state, held } = await standingOf(forum.database, id)
  const shares = await forum.database.app.selectFrom('bounty_share').select(['comment_id', 'amount']).where('topic_id', '=', id).execute()
  return [state, held, ...shares.map(({ comment_id, amount }) => `${comment_id}:${amount}`)].join(' ')
}

/** Points are neither created nor lost: the sum over all members equals what they were given. */
async function eachRound(all: readonly Round[], race: (round: Round) => Promise<void>): Promise<void> {
  await runRounds((round) => race(all[round] as Round), all.length)
  const people = new Map(all.flatMap(({ asker, tom, eve }) => [asker, tom, eve].map((one) => [one.id, one])))
  let sum = 0n
  for (const id of people.keys()) {
    const { balance, held, owed } = (await wallet.accountsOf(forum.database.app, id)).points
    sum += balance + held - owed
  }
  expect(sum).toBe(8n * 50_000n)
}

const adopting =
  ({ id, asker }: Round, commentId: string): Action =>
  (tx) =>
    adopt(tx, asker, id, commentId)

test('two answers accepted at once end with one paid', async () => {
  await eachRound(await prepared(), async (round) => {
    const results = await together(adopting(round, round.first), adopting(round, round.second))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await outcome(round)).toBe(`paid 0 ${results[0] ? round.first : round.second}:50`)
  })
})

test('a bounty past its deadline is returned, even if an answer is accepted before the job runs', async () => {
  await eachRound(await prepared(), async (round) => {
    await letEnd(forum.database, round.id)
    await together(adopting(round, round.first), (tx) => endIfDue(tx, round.id))
    // The job leaves locked rows to the next minute.
    await transact(forum.database, (tx) => endIfDue(tx, round.id))
    expect(await outcome(round)).toBe('returned 0')
  })
})

test('a bounty raised during its payment is paid as it was, or in full', async () => {
  await eachRound(await prepared(), async (round) => {
    const raising: Action = (tx) => raise(tx, round.asker, { questionId: round.id, bountyPoints: toMinor(80) })
    const [isAdopted, isRaised] = await together(adopting(round, round.first), raising)
    expect(isAdopted).toBe(true)
    expect(await outcome(round)).toBe(`paid 0 ${round.first}:${isRaised ? 80 : 50}`)
  })
})

test('an answer removed during its acceptance is paid, or nothing is and the bounty stays', async () => {
  await eachRound(await prepared(), async (round) => {
    const removing: Action = (tx) => posts.remove(tx, round.tom, { kind: 'comment', id: round.first, reason: '' }, client)
    const [isAdopted, isRemoved] = await together(adopting(round, round.first), removing)
    expect(isRemoved).toBe(true)
    expect(await outcome(round)).toBe(isAdopted ? `paid 0 ${round.first}:50` : 'open 50')
  })
})

test('a question that is removed while an answer is accepted is paid, or its bounty given back', async () => {
  await eachRound(await prepared(), async (round) => {
    const removing: Action = async (tx) => posts.takeDown(tx, [await posts.lockPost(tx, 'topic', round.id)], { by: 'staff' })
    const [isAdopted, isRemoved] = await together(adopting(round, round.first), removing)
    expect(isRemoved).toBe(true)
    expect(await outcome(round)).toBe(isAdopted ? `paid 0 ${round.first}:50` : 'returned 0')
  })
})

test('two questions with bounties merged into one end with one bounty returned and the other open or paid', async () => {
  const [all, others] = [await prepared(), await prepared()]
  const otherOf = new Map(all.map(({ id }, index) => [id, others[index]]))
  await eachRound(all, async (round) => {
    const stays = otherOf.get(round.id) ?? round
    const merging: Action = (tx) => move.merge(tx, staff, client, { topicIds: [round.id], to: stays.id, reason: '' })
    const [isMerged, isAdopted, isPaid] = await together(merging, adopting(round, round.first), adopting(stays, stays.first))
    expect([isMerged, isPaid]).toEqual([true, true])
    expect(await outcome(round)).toBe(isAdopted ? `paid 0 ${round.first}:50` : 'returned 0')
    expect(await outcome(stays)).toBe(`paid 0 ${stays.first}:50`)
  })
})
