import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { addComment } from '#comment/contract.ts'
import type { PersonalNotice } from '#notification/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { appealRemoval, ForAnother, myRemovals } from '#report/contract.ts'
import { decideAppeal } from '#report/staff-contract.ts'
import * as contract from '#review/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

test('a post removed in the queue waits there again after a successful appeal', async () => {
  const forum = await aForum()
  const [ann, ben, mei] = [await aStaffer(forum), await aStaffer(forum), await forum.member()]
  await transact(forum.database, (tx) => setting.change(tx, 'reviewComments', 'everybody', 'test'))
  const topicId = await aTopic(mei, await aTag(forum.database))
  const { commentId } = await mei.call(addComment, { topicId, body: says('Let me in') })
  const waits = async () => (await ben.call(contract.reviewQueue, {})).rows
  const [row] = await waits()
  await ann.call(contract.removeReview, { reviewId: row?.id ?? '', version: row?.version ?? 0, reason: 'No.' })
  expect((await noticesOf(mei))[0]?.says as PersonalNotice).toMatchObject({ kind: 'postRemoved', mayAppeal: true })
  expect(await waits()).toEqual([])

  const { id: removalId = '' } = (await mei.call(myRemovals, {})).removals[0] ?? {}
  await mei.call(appealRemoval, { removalId, text: 'Please look again.' })
  const wish = { removalId, version: 1, outcome: 'restored', answer: 'So be it.' } as const
  expect(await ann.isRefused(decideAppeal, wish, ForAnother)).toBe(true)
  await ben.call(decideAppeal, wish)
  expect((await mei.call(myRemovals, {})).removals).toMatchObject([{ thing: { id: commentId }, isBack: true }])
  expect(await waits()).toMatchObject([{ postId: commentId }])
})
