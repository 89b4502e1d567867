import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { search } from '#search/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'

test('tags with a matching name stand beside the results, and a closed one only for members with access', async () => {
  const forum = await aForum()
  const open = await aTag(forum.database, { name: '紫藤凉亭', nameEn: 'Wisteria pavilion' })
  const closed = await aClosedTag(forum.database, { name: 'Moon pavilion' })
  const guest = await forum.member()
  await closed.admit(guest.id)
  const tags = async (keyword: string, who = forum.visitor(), wish = {}) =>
    (await who.call(search, { keyword, ...wish })).tags.map(({ id }) => id)
  expect(await tags('pavilion')).toEqual([open])
  expect(await tags('PAVILION', guest)).toEqual([open, closed.tagId])
  expect(await tags('moon')).toEqual([])
  for (const keyword of ['凉亭', '紫藤', 'ztlt', 'wisteria']) expect(await tags(keyword), keyword).toEqual([open])
  expect(await tags('pavilion', forum.visitor(), { kind: 'question' })).toEqual([])
})
