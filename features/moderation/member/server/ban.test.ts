import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addComment, addReply, editRemark } from '#comment/contract.ts'
import { says } from '#writing/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { raiseBounty } from '#bounty/contract.ts'
import { beginUpload } from '#file/contract.ts'
import { buyPart } from '#hidden-part/contract.ts'
import * as contract from '#member/contract.ts'
import { addLike } from '#like/contract.ts'
import { send } from '#message/contract.ts'
import { addReport, appealRemoval } from '#report/contract.ts'
import { functions, type FunctionName } from '#role/all-rights.ts'
import { Banned } from '#role/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { editTopic, publishTopic } from '#topic/contract.ts'
import { editProfile, home, removeAvatar } from '#user/contract.ts'

let forum: Forum
let chief: Staffer
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

const ban = (mei: Person, from: FunctionName[], endsAt?: string) =>
  chief.call(contract.banMember, { memberId: mei.id, from, endsAt, reason: 'Advertising, three times' })

async function posts(mei: Person) {
  const { topicId } = await mei.call(publishTopic, { tagId, title: 'On rain', body: says('rain') })
  const { commentId } = await mei.call(addComment, { topicId, body: says('more rain') })
  const { replyId } = await mei.call(addReply, { commentId, body: says('no end of rain') })
  return { topicId, commentId, replyId }
}

describe('a ban', () => {
  test.each(functions)('from one function, here %s, closes all ways to it and nothing else', async (from) => {
    const [mei, other] = [await forum.member(), await forum.member()]
    const { topicId, commentId, replyId } = await posts(mei)
    await ban(mei, [from])
    const ways: Partial<Record<FunctionName, (() => Promise<boolean>)[]>> = {
      topic: [
        () => mei.isRefused(publishTopic, { tagId, title: 'On wind', body: says('wind') }, Banned),
        () => mei.isRefused(editTopic, { topicId, title: 'On snow', body: says('snow') }, Banned),
      ],
      comment: [
        () => mei.isRefused(addComment, { topicId, body: says('hello') }, Banned),
        () => mei.isRefused(editRemark, { kind: 'comment', id: commentId, body: says('another') }, Banned),
      ],
      reply: [
        () => mei.isRefused(addReply, { commentId, body: says('yes') }, Banned),
        () => mei.isRefused(editRemark, { kind: 'reply', id: replyId, body: says('another one') }, Banned),
      ],
      like: [() => mei.isRefused(addLike, { kind: 'topic', id: topicId }, Banned)],
      money: [
        () => mei.isRefused(buyPart, { partId: 'h_1', price: '5' }, Banned, newIdempotencyKey()),
        () => mei.isRefused(raiseBounty, { questionId: topicId, bountyPoints: '50' }, Banned, newIdempotencyKey()),
      ],
      message: [() => mei.isRefused(send, { userId: other.id, body: says('hello'), key: randomUUID() }, Banned)],
      upload: [() => mei.isRefused(beginUpload, { kind: 'picture', name: 'tea.png', bytes: 100 }, Banned)],
      profile: [
        () => mei.isRefused(editProfile, { nickname: '', showsActivity: true }, Banned),
        () => mei.isRefused(removeAvatar, {}, Banned),
      ],
      report: [() => mei.isRefused(addReport, { kind: 'topic', thingId: topicId, categoryId: '1' }, Banned)],
      appeal: [() => mei.isRefused(appealRemoval, { removalId: '1', text: 'Why?' }, Banned)],
      // Features further down the list test their own.
    }
    for (const one of functions) for (const way of ways[one] ?? []) expect([one, await way()]).toEqual([one, one === from])
  })

  test.each([
    ['en', /^Until .* UTC, you can’t post or edit comments and answers\. Reason: Advertising, three times$/],
    ['zh', /^在 .*（UTC）之前，你不能发表或修改评论和回答。原因：Advertising, three times$/],
  ] as const)('is shown in the member’s language, with its end and reason: %s', async (language, text) => {
    const mei = await forum.member()
    const { topicId } = await posts(mei)
    await ban(mei, ['comment'], new Date(Date.now() + 86_400_000).toISOString())
    const there = Object.assign(forum.visitor({ language }), { pair: mei.pair })
    expect((await there.tryCall(addComment, { topicId, body: says('hello') })).error['role']).toMatch(text)
    await ban(mei, ['comment'])
    expect((await there.tryCall(addComment, { topicId, body: says('hello') })).error['role']).toMatch(/no longer|你不能再/)
  })

  test('ends when its time is over, or when staff lift it', async () => {
    const mei = await forum.member()
    const { topicId } = await posts(mei)
    await ban(mei, ['comment'], new Date(Date.now() + 3_600_000).toISOString())
    const comments = () => mei.isRefused(addComment, { topicId, body: says(`hello ${Math.random()}`) }, Banned)
    expect(await comments()).toBe(true)
    await forum.database.app.updateTable('member_ban').set({ ends_at: new Date() }).where('member_id', '=', mei.id).execute()
    expect(await comments()).toBe(false)
    await ban(mei, ['comment'])
    const { bans } = await chief.call(contract.memberView, { memberId: mei.id })
    expect(bans.map((one) => one.isRunning)).toEqual([true, false])
    await chief.call(contract.liftBan, { banId: bans[0]?.id ?? '' })
    expect(await comments()).toBe(false)
    expect((await chief.tryCall(contract.liftBan, { banId: bans[0]?.id ?? '' })).status).toBe(404)
  })

  test('is in the list, on the member’s own page, and in place of the one before', async () => {
    const mei = await forum.member()
    await ban(mei, ['comment', 'reply'])
    await ban(mei, ['comment'], new Date(Date.now() + 3_600_000).toISOString())
    const { rows } = await chief.call(contract.memberList, { state: 'banned' })
    expect(rows.map((row) => row.id)).toContain(mei.id)
    expect((await mei.call(home, {})).bans.map((one) => one.from).sort()).toEqual(['comment', 'reply'])
    expect((await forum.visitor().call(home, { userId: mei.id })).bans).toEqual([])
    const early = { memberId: mei.id, from: ['topic'] as FunctionName[], endsAt: '2020-01-01T00:00:00Z', reason: 'x' }
    expect(await chief.isRefused(contract.banMember, early, contract.EndsTooSoon)).toBe(true)
  })

  test('takes a recent proof of the password', async () => {
    const mei = await forum.member()
    const helper = await aStaffer(forum, ['member.ban'])
    const past = new Date(Date.now() - 3_600_000)
    await forum.database.app.updateTable('staff_session').set({ proved_at: past }).where('staff_id', '=', helper.id).execute()
    expect((await helper.tryCall(contract.banMember, { memberId: mei.id, from: ['topic'], reason: 'x' })).status).toBe(428)
  })
})
