import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Member } from '#base/server/http/route.ts'
import { runs } from '#base/testing/extent.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { runConcurrently, runRounds } from '#base/testing/races.ts'
import * as contract from '#poll/contract.ts'
import { edit } from '#poll/server/edit.ts'
import { endOwn } from '#poll/server/end.ts'
import { vote } from '#poll/server/vote.ts'
import { aPoll, ballotsIn } from '#poll/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'

let forum: Forum
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

function asMember(id: string): Member {
  return { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
}

async function manyMembers(count: number): Promise<Member[]> {
  const { rows } = await sql<{ id: string }>`
    insert into member (account, account_key, password_hash)
    select 'voter_' || n || '_' || floor(random() * 1e9), 'voter_' || n || '_' || gen_random_uuid(), '' from generate_series(1, ${count}::int) as n returning id`.execute(
    forum.database.app,
  )
  return rows.map(({ id }) => asMember(id))
}

async function countsOf(topicId: string): Promise<{ voters: number; votes: Record<string, number> }> {
  const { results } = await forum.visitor().call(contract.showPoll, { topicId })
  return { voters: results?.voters ?? 0, votes: Object.fromEntries(results?.votes.map(({ optionId, count }) => [optionId, count]) ?? []) }
}

test('a thousand voters at once, some of them twice, are a thousand votes', async () => {
  const { topicId, optionIds } = await aPoll(await forum.member(), tagId)
  const voters = await manyMembers(1_000)
  const chosen = (index: number) => [optionIds[index % 3] ?? '']
  const votes = voters.map((member, index) => (tx: Parameters<typeof vote>[0]) => vote(tx, member, { topicId, optionIds: chosen(index) }))
  // More than there are connections, and few enough that none waits too long for one.
  const waiting = [...votes, ...votes.slice(0, 200)]
  const voteInTurn = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) expect(await runConcurrently(forum.database, [one])).toEqual([true])
  }
  await Promise.all(Array.from({ length: 60 }, voteInTurn))
  expect(await countsOf(topicId)).toEqual({
    voters: 1_000,
    votes: { [optionIds[0] ?? '']: 334, [optionIds[1] ?? '']: 333, [optionIds[2] ?? '']: 333 },
  })
})

test('votes that are cast and changed at the same time leave each voter one ballot, with one of their choices', async () => {
  const members = await manyMembers(4)
  const ballot = fc.record({ who: fc.nat(3), choice: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(ballot, { minLength: 4, maxLength: 16 }), async (ballots) => {
      const { topicId, optionIds } = await aPoll(await forum.member(), tagId, { maxChoices: 2 })
      const chosen = (choice: readonly number[]) => choice.map((index) => optionIds[index] ?? '')
      await runConcurrently(
        forum.database,
        ballots.map(
          ({ who, choice }) =>
            (tx) =>
              vote(tx, members[who] as Member, { topicId, optionIds: chosen(choice) }),
        ),
      )
      const cast = await ballotsIn(forum.database, topicId)
      expect(new Set(cast.map(({ memberId }) => memberId))).toEqual(new Set(ballots.map(({ who }) => members[who]?.id)))
      for (const { memberId, optionIds: its } of cast) {
        const theirs = ballots.filter(({ who }) => members[who]?.id === memberId).map(({ choice }) => chosen(choice).toSorted().join())
        expect(theirs).toContain(its.toSorted().join())
      }
      const { voters, votes } = await countsOf(topicId)
      expect(voters).toBe(cast.length)
      expect(Object.values(votes).reduce((sum, count) => sum + count, 0)).toBe(cast.flatMap((one) => one.optionIds).length)
    }),
    { numRuns: runs(15) },
  )
})

test('an option removed during a vote either has the vote and stays, or is gone without it', async () => {
  const [voter] = (await manyMembers(1)) as [Member]
  await runRounds(async () => {
    const author = await forum.member()
    const { topicId, optionIds } = await aPoll(author, tagId)
    const { options } = await forum.visitor().call(contract.showPoll, { topicId })
    const [hasVoted, hasRemoved] = await runConcurrently(forum.database, [
      (tx) => vote(tx, voter, { topicId, optionIds: optionIds.slice(2) }),
      (tx) => edit(tx, asMember(author.id), { topicId, options: options.slice(0, 2) }),
    ])
    expect(hasVoted).toBe(!hasRemoved)
    const left = (await forum.visitor().call(contract.showPoll, { topicId })).options.map(({ id }) => id)
    for (const { optionIds: its } of await ballotsIn(forum.database, topicId)) expect(left).toEqual(expect.arrayContaining(its))
  })
})

test('a vote that meets the end is counted before it, or refused', async () => {
  const [voter] = (await manyMembers(1)) as [Member]
  await runRounds(async () => {
    const author = await forum.member()
    const { topicId, optionIds } = await aPoll(author, tagId)
    const [hasVoted] = await runConcurrently(forum.database, [
      (tx) => vote(tx, voter, { topicId, optionIds: optionIds.slice(0, 1) }),
      (tx) => endOwn(tx, asMember(author.id), topicId),
    ])
    const { rows } = await sql<{ isBefore: boolean }>`
      select voted_at <= ended_at as "isBefore" from poll left join poll_ballot using (topic_id) where topic_id = ${topicId}`.execute(
      forum.database.app,
    )
    expect(rows).toEqual([{ isBefore: hasVoted ? true : null }])
  })
})
