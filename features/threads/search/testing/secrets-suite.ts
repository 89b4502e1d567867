import { expect, test } from 'vitest'
import { find, names, settled, type EngineContext } from '#search/testing/engine-suite.ts'
import * as contract from '#search/contract.ts'
import { aClosedTag, aTagInAClosedGroup } from '#tag/testing/factories.ts'
import { ActivityHidden, editProfile } from '#user/contract.ts'

/** Hidden content does not leak through the search. */
export function keepsSecrets(ground: EngineContext): void {
  keepsClosedTags(ground)
  keepsUnseen(ground)
}

function keepsClosedTags(ground: EngineContext): void {
  test('a tag that only some may look into is found by them alone, and is not counted for others', async () => {
    const { tagId, admit } = await aClosedTag(ground.forum.database, { name: 'Vault' })
    const insider = await ground.forum.member()
    await admit(insider.id)
    const open = await ground.topic('Of amethyst', 'In the open.')
    const closed = await ground.topic('Of amethyst, in secret', 'The word is chrysoprase.', tagId, insider)
    const remark = await ground.comment(closed, 'Chrysoprase it is.', insider)
    await settled(ground)
    const stranger = await ground.forum.member()
    for (const who of [undefined, stranger]) {
      expect(await find(ground, 'amethyst', {}, who)).toMatchObject({ total: 1, hits: [{ id: open }] })
      expect(await find(ground, 'chrysoprase', {}, who)).toMatchObject({ total: 0, respelled: [] })
      // Spelling suggestions do not reveal its words, either.
      expect(await find(ground, 'chrysoprase x chrysoprasee', {}, who)).toMatchObject({ total: 0, respelled: [] })
      expect(await find(ground, 'chrysopraze', {}, who)).toMatchObject({ total: 0, respelled: [] })
    }
    expect((await find(ground, 'amethyst', {}, insider)).total).toBe(2)
    expect(new Set(await names(ground, 'chrysoprase', {}, insider))).toEqual(new Set([`topic ${closed}`, `comment ${remark}`]))
    expect((await ground.forum.visitor().tryCall(contract.search, { keyword: 'amethyst', tagId })).status).toBe(404)
    const suggested = await ground.forum.visitor().call(contract.suggest, { keyword: 'ameth' })
    expect(suggested.topics.map(({ id }) => id)).toEqual([open])
    expect((await ground.forum.visitor().call(contract.suggest, { keyword: 'vault' })).tags).toEqual([])
    expect((await insider.call(contract.suggest, { keyword: 'vault' })).tags.map(({ id }) => id)).toEqual([tagId])
  })

  test('a tag below one that is closed is found by those alone who may look above', async () => {
    const { tagId, groupId, admit } = await aTagInAClosedGroup(ground.forum.database, { name: 'Cabinet' })
    const insider = await ground.forum.member()
    await admit(insider.id)
    const closed = await ground.topic('Of jargoon', 'Kept behind glass.', tagId, insider)
    await settled(ground)
    for (const who of [undefined, await ground.forum.member()]) {
      expect((await find(ground, 'jargoon', {}, who)).total).toBe(0)
      for (const where of [tagId, groupId])
        expect((await (who ?? ground.forum.visitor()).tryCall(contract.search, { keyword: 'jargoon', tagId: where })).status).toBe(404)
    }
    expect((await ground.forum.visitor().call(contract.suggest, { keyword: 'cabinet' })).tags).toEqual([])
    expect(await names(ground, 'jargoon', { tagId: groupId }, insider)).toEqual([`topic ${closed}`])
  })
}

function keepsUnseen(ground: EngineContext): void {
  test('what waits for review is found by nobody', async () => {
    const topicId = await ground.topic('Of porphyry', 'Not yet.', undefined, ground.mei)
    await ground.forum.database.app.updateTable('topic').set({ status: 'pending' }).where('id', '=', topicId).execute()
    await settled(ground)
    for (const who of [undefined, ground.mei]) expect((await find(ground, 'porphyry', {}, who)).total).toBe(0)
  })

  test('who keeps to themselves what they write is not searched by name, but by themselves', async () => {
    const shy = await ground.forum.member('shy_person')
    const topicId = await ground.topic('Of malachite', 'Green, too.', undefined, shy)
    await settled(ground)
    expect(await names(ground, 'malachite', { author: 'shy_person' })).toEqual([`topic ${topicId}`])
    await shy.call(editProfile, { nickname: 'Quiet One', showsActivity: false })
    expect(await ground.forum.visitor().isRefused(contract.search, { keyword: 'malachite', author: 'Quiet One' }, ActivityHidden)).toBe(
      true,
    )
    expect(await names(ground, 'malachite', { author: 'quiet one' }, shy)).toEqual([`topic ${topicId}`])
    // Nor does the author filter reveal account names.
    expect((await find(ground, 'malachite', { author: 'shy_person', page: 1, sort: 'newest' })).total).toBe(0)
  })
}
