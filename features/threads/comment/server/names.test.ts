import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { listComments } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'

const forum = await aForum()
const visitor = forum.visitor()
const [mei, lin, an] = await Promise.all([forum.member(), forum.member(), forum.member()])
const topicId = await aTopic(mei, await aTag(forum.database))
const commentId = await aComment(lin, topicId)
await aReply(an, commentId)

test('a new name is on all that was kept, at once', async () => {
  for (const round of ['first', 'second']) {
    for (const person of [mei, lin, an]) await person.call(editProfile, { nickname: `${round} ${person.id}`, showsActivity: true })
    expect((await visitor.call(thread, { topicId })).author.name).toBe(`${round} ${mei.id}`)
    const [comment] = (await visitor.call(listComments, { topicId })).comments
    expect(comment?.author?.name).toBe(`${round} ${lin.id}`)
    expect(comment?.replies[0]?.author.name).toBe(`${round} ${an.id}`)
  }
})
