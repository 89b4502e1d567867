import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { undoBatch } from '#batch/contract.ts'
import { listComments } from '#comment/contract.ts'
import * as contract from '#content/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

test('staff cannot restore their own post removed by another, alone or by the undo of a batch', async () => {
  const forum = await aForum()
  const [ann, ben] = [await aStaffer(forum), await aStaffer(forum)]
  const topicId = await aTopic(await forum.member(), await aTag(forum.database))
  const { id } = await ann.call(contract.addRemarkAsStaff, { kind: 'comment', under: topicId, body: says('Because I say so') })
  const own = { kind: 'comment', id } as const
  const isShown = async () => !(await forum.visitor().call(listComments, { topicId })).comments.find((one) => one.id === id)?.isDeleted

  await ann.call(contract.removeRemarkAsStaff, { ...own, reason: 'spam' })
  await ann.call(contract.restoreRemark, own)
  expect(await isShown()).toBe(true)

  await ben.call(contract.removeRemarkAsStaff, { ...own, reason: 'spam' })
  expect(await ann.isRefused(contract.restoreRemark, own, OwnCase)).toBe(true)
  await ben.call(contract.restoreRemark, own)

  const { batch } = await ben.call(contract.doAtOnce, { action: 'comment.remove', ids: [id], reason: 'spam' })
  await ann.call(undoBatch, { batchId: batch.id })
  expect(await isShown()).toBe(false)
})
