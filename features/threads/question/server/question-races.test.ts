import { beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member, Staff } from '#base/server/http/route.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { rounds } from '#base/testing/extent.ts'
import { runConcurrently, runRounds, type Action } from '#base/testing/races.ts'
import { undoBatch } from '#batch/contract.ts'
import * as comments from '#comment/server/comment.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import * as move from '#content/server/move.ts'
import { removeTag } from '#content/server/remove-tag.ts'
import * as posts from '#post/server/post.ts'
import { adopt } from '#question/server/adopt.ts'
import { ask } from '#question/server/ask.ts'
import { approve } from '#review/server/decide.ts'
import { reopen } from '#review/server/decided.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/server/topic.ts'
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

type Round = { id: string; first: string; second: string }

let forum: Forum
let tagId = ''
let chief: Staffer
let staff: Staff
let [ann, tom, eve] = [] as unknown as [Member, Member, Member]

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  const member = async () => asMember((await forum.member()).id)
  ;[ann, tom, eve] = [await member(), await member(), await member()]
  chief = await aStaffer(forum)
  const { id, speaks_as } = await forum.database.app.selectFrom('staff').select(['id', 'speaks_as']).executeTakeFirstOrThrow()
  const actor = { id, account: 'chief', sessionId: '', isAdministrator: true, may: () => true, provedAt: new Date() }
  staff = { ...asMember(speaks_as), staff: actor }
})

function asMember(id: string): Member {
  return { id, sessionId: '', audience: '', may: (right) => !right.endsWith('unreviewed'), where: () => ({ except: [] }) }
}

/** One question for each round, each with two answers. */
async function prepared(under: string[] = []): Promise<Round[]> {
  const all: Round[] = []
  await runRounds(async (round) => {
    all[round] = await transact(forum.database, async (tx) => {
      const draft = { tagId, tagIds: under, title: `Question ${round}`, body: says('Why?') }
      const { questionId: id } = await ask(tx, ann, draft)
      return { id, first: await answer(tx, tom, id), second: await answer(tx, eve, id) }
    })
  })
  return all
}

async function answer(tx: Db, by: Member, questionId: string): Promise<string> {
  return (await comments.add(tx, by, { kind: 'comment', under: questionId, body: says('So.') })).id
}

/** Runs these concurrently; refusals are returned, and any other error fails the test. */
async function together(...actions: Action[]): Promise<boolean[]> {
  return runConcurrently(forum.database, actions)
}

async function adoptedIn({ id }: Round): Promise<string | null> {
  const row = await forum.database.app.selectFrom('adoption').select('comment_id').where('topic_id', '=', id).executeTakeFirst()
  return row?.comment_id ?? null
}

async function statusOf(commentId: string): Promise<string> {
  return (await forum.database.app.selectFrom('comment').select('status').where('id', '=', commentId).executeTakeFirstOrThrow()).status
}

async function eachRound(all: readonly Round[], race: (round: Round) => Promise<void>): Promise<void> {
  await runRounds((round) => race(all[round] as Round), all.length)
  expect(await wrongCounts(forum.database.app)).toEqual([])
}

const adopting =
  ({ id }: Round, commentId: string): Action =>
  (tx) =>
    adopt(tx, ann, id, commentId)

test('two answers accepted at once end with one', async () => {
  await eachRound(await prepared(), async (round) => {
    expect(await together(adopting(round, round.first), adopting(round, round.second))).toEqual([true, true])
    expect([round.first, round.second]).toContain(await adoptedIn(round))
  })
})

test('an answer that is removed, hidden or held for review while it is accepted solves nothing', async () => {
  await change({ reviewAnswers: 'everybody' })
  const all = await prepared()
  await change({ reviewAnswers: 'nobody' })
  const reviews = await forum.database.app
    .selectFrom('review')
    .select(['id', 'version', 'post_id'])
    .where('state', '=', 'waiting')
    .execute()
  const reviewOf = new Map(reviews.map((review) => [review.post_id, review]))
  const approved = (tx: Db, commentId: string) => {
    const { id: reviewId = '', version = 0 } = reviewOf.get(commentId) ?? {}
    return approve(tx, staff, { reviewId, version })
  }
  await runRounds(async (round) => {
    for (const id of [all[round]?.first ?? '', all[round]?.second ?? '']) await transact(forum.database, (tx) => approved(tx, id))
  })
  const ways: ((tx: Db, id: string) => Promise<unknown>)[] = [
    (tx, id) => posts.remove(tx, tom, { kind: 'comment', id, reason: '' }, client),
    async (tx, id) => posts.takeDown(tx, [await posts.lockPost(tx, 'comment', id)], { by: 'staff' }),
    (tx, id) => reopen(tx, staff, reviewOf.get(id)?.id ?? ''),
  ]
  for (const [turn, takeAway] of ways.entries()) {
    const [from, to] = [turn, turn + 1].map((part) => Math.ceil((part * rounds) / ways.length))
    await eachRound(all.slice(from, to), async (round) => {
      const [, isAway] = await together(adopting(round, round.first), (tx) => takeAway(tx, round.first))
      expect([isAway, await statusOf(round.first)]).toEqual([true, turn === 2 ? 'pending' : 'deleted'])
      expect(await adoptedIn(round)).toBe(null)
    })
  }
})

test('an answer that is edited while it is accepted solves the question as it reads then', async () => {
  await eachRound(await prepared(), async (round) => {
    const edited: Action = (tx) =>
      posts.edit(tx, tom, { kind: 'comment', id: round.first, body: says('Better so.'), reason: '', withholds: false }, client)
    expect(await together(adopting(round, round.first), edited)).toEqual([true, true])
    expect(await adoptedIn(round)).toBe(round.first)
  })
})

test('a question that becomes a topic during an answer has an answer less, or a comment more', async () => {
  await eachRound(await prepared(), async (round) => {
    const turned: Action = async (tx) => topics.changeKind(tx, await posts.lockAnyThread(tx, round.id), 'topic')
    const [, isAnswered] = await together(turned, (tx) => answer(tx, eve, round.id), adopting(round, round.first))
    const thread = await forum.database.app
      .selectFrom('topic')
      .select(['kind', 'comment_count', 'is_resolved'])
      .where('id', '=', round.id)
      .executeTakeFirstOrThrow()
    expect(thread).toEqual({ kind: 'topic', comment_count: isAnswered ? 3 : 2, is_resolved: false })
  })
})

test('a question asked under a tag that goes meanwhile is under it no more, or is not asked', async () => {
  await eachRound(await prepared(), async () => {
    const removedTagId = await aTag(forum.database)
    const title = `Under tag ${removedTagId}`
    const [, isGone] = await together(
      (tx) => ask(tx, ann, { tagId, tagIds: [removedTagId], title, body: says('Why?') }),
      (tx) => removeTag(tx, staff, client, { tagId: removedTagId, reason: '' }),
    )
    expect(isGone).toBe(true)
    const tags = await forum.database.app
      .selectFrom('topic')
      .innerJoin('topic_tag', 'topic_tag.topic_id', 'topic.id')
      .select('topic_tag.tag_id')
      .where('title', '=', title)
      .execute()
    expect([[], [{ tag_id: tagId }]]).toContainEqual(tags)
  })
})

test('two solved questions merged into one keep the accepted answer of the remaining one', async () => {
  const [all, others] = [await prepared(), await prepared()]
  await runRounds(async (round) => {
    const other = others[round]
    if (other) await transact(forum.database, adopting(other, other.second))
  })
  const otherOf = new Map(all.map(({ id }, index) => [id, others[index]]))
  await eachRound(all, async (round) => {
    const stays = otherOf.get(round.id) ?? round
    const input = { topicIds: [round.id], to: stays.id, reason: '' }
    const [isMerged] = await together((tx) => move.merge(tx, staff, client, input), adopting(round, round.first))
    expect([isMerged, await adoptedIn(round), await adoptedIn(stays)]).toEqual([true, null, stays.second])
  })
  const [[round], [stays]] = [await prepared(), others]
  if (!round || !stays) throw new Error('Nothing was asked')
  await transact(forum.database, adopting(round, round.first))
  await chief.call(mergeTopics, { topicIds: [round.id], to: stays.id })
  const { id: batchId } = await forum.database.app.selectFrom('staff_batch').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  await chief.call(undoBatch, { batchId })
  expect([await adoptedIn(round), await adoptedIn(stays)]).toEqual([round.first, stays.second])
  expect(await wrongCounts(forum.database.app)).toEqual([])
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}
