import { expect, test } from 'vitest'
import { removeRemark } from '#comment/contract.ts'
import { find, names, settled, type EngineContext } from '#search/testing/engine-suite.ts'
import { editTopic, removeTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

/** The index follows changes of posts. */
export function keepsUp(ground: EngineContext): void {
  test('a new post is found soon', async () => {
    expect((await find(ground, 'zymurgy')).total).toBe(0)
    const topicId = await ground.topic('On zymurgy', 'Yeast and patience.')
    await expect.poll(() => names(ground, 'zymurgy')).toEqual([`topic ${topicId}`])
    const commentId = await ground.comment(topicId, 'Patience above all, says the saccharometer.')
    await expect.poll(() => names(ground, 'saccharometer')).toEqual([`comment ${commentId}`])
  })

  test('an edit is followed: new words are found, old ones are not', async () => {
    const topicId = await ground.topic('Before', 'It mentioned a gramophone.', undefined, ground.mei)
    await settled(ground)
    await ground.mei.call(editTopic, { topicId, title: 'After', body: says('It mentions a phonograph.') })
    // The old words may be the reason for the edit, so they stop matching at once.
    expect((await find(ground, 'gramophone')).total).toBe(0)
    await expect.poll(() => names(ground, 'phonograph')).toEqual([`topic ${topicId}`])
    expect((await find(ground, 'gramophone')).total).toBe(0)
  })

  test('what is removed is not found from that moment on, nor counted', async () => {
    const author = await ground.forum.member()
    const topicId = await ground.topic('Of lighthouses', 'A keeper of lamps.', undefined, author)
    const commentId = await ground.comment(topicId, 'The lamplighter knew.', author)
    const replyId = await ground.reply(commentId, 'And the lamplighter told.', author)
    await settled(ground)
    expect(new Set(await names(ground, 'lamplighter'))).toEqual(new Set([`comment ${commentId}`, `reply ${replyId}`]))
    await author.call(removeRemark, { kind: 'comment', id: commentId })
    expect(await find(ground, 'lamplighter')).toMatchObject({ total: 1, hits: [{ kind: 'reply', id: replyId }] })
    await author.call(removeTopic, { topicId })
    expect(await find(ground, 'lamplighter')).toMatchObject({ total: 0, hits: [] })
    await settled(ground)
    expect((await find(ground, 'lighthouse')).total).toBe(0)
  })
}

export function bringsBack(ground: EngineContext): void {
  test('what is brought back is found again, with all under it', async () => {
    const topicId = await ground.topic('Of windmills', 'Four sails.')
    const commentId = await ground.comment(topicId, 'The millwright mends them.')
    const { app } = ground.forum.database
    await app.updateTable('topic').set({ status: 'deleted', deleted_by: 'staff' }).where('id', '=', topicId).execute()
    await settled(ground)
    ground.forum.database.invalidations.announce(new Set(['index']))
    expect((await find(ground, 'millwright')).total).toBe(0)
    await app.updateTable('topic').set({ status: 'published', deleted_by: null }).where('id', '=', topicId).execute()
    await expect.poll(() => names(ground, 'millwright')).toEqual([`comment ${commentId}`])
    expect(await names(ground, 'windmill')).toEqual([`topic ${topicId}`])
  })

  test('a topic that moves takes all under it along', async () => {
    const topicId = await ground.topic('Of sluices', 'Water and wood.')
    const commentId = await ground.comment(topicId, 'The sluicegate sticks.')
    await ground.forum.database.app.updateTable('topic').set({ tag_id: ground.green }).where('id', '=', topicId).execute()
    await expect.poll(() => names(ground, 'sluicegate', { tagId: ground.tea })).toEqual([`comment ${commentId}`])
  })
}
