import { beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { membershipCardList, type CardView } from '#membership/contract.ts'
import { invalidateCards } from '#membership/server/cards.ts'
import { aCard } from '#membership/testing/factories.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aRole } from '#tag/testing/factories.ts'

let forum: Forum

beforeEach(async () => {
  forum = await aForum()
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

async function leadsThere(): Promise<[flag: boolean, section: boolean]> {
  const { frame } = await forum.visitor().call(baseInfo, {})
  return [frame.sellsMembership, frame.sections.some(({ url }) => url === '/membershipCardList')]
}

test('every page leads to the cards while there is one to buy, and never elsewise', async () => {
  expect(await leadsThere()).toEqual([false, false])
  const { cardId } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ cents: 100 }])
  expect(await leadsThere()).toEqual([true, true])

  const allowCash = (value: boolean) => transact(forum.database, (tx) => setting.change(tx, 'allowCash', value, 'test'))
  await allowCash(false)
  expect(await leadsThere()).toEqual([false, false])
  await allowCash(true)
  expect(await leadsThere()).toEqual([true, true])

  await transact(forum.database, async (tx) => {
    await tx.updateTable('membership_card').set({ is_on_sale: false }).where('id', '=', cardId).execute()
    invalidateCards(tx)
  })
  expect(await leadsThere()).toEqual([false, false])
})

test('a card lists the rights that its role adds to those of all members, and the restricted tags it opens', async () => {
  const { app } = forum.database
  const roleId = await aRole(forum.database, ['invite', 'post.like', 'tag.view'])
  const tagOf = async (key: string, isRestricted: boolean, parentId: string | null = null) =>
    (
      await app
        .insertInto('tag')
        .values({ key, name_zh: key, name_en: key, sort: 0, parent_id: parentId, is_restricted: isRestricted })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const closed = await tagOf('closed', true)
  const tags = [closed, await tagOf('below', false, closed), await tagOf('open', false)]
  await app
    .insertInto('role_right')
    .values(tags.map((tag_id) => ({ role_id: roleId, right_name: 'tag.view', tag_id })))
    .execute()
  await aCard(forum.database, roleId, [{ points: 1 }])
  const { cards } = await forum.visitor().call(membershipCardList, {})
  const gives: CardView['gives'] = cards.find(({ role }) => role.id === roleId)?.gives ?? []
  expect(gives.map(({ right, tag }) => [right, tag?.en ?? null]).toSorted()).toEqual([
    ['invite', null],
    ['tag.view', 'below'],
    ['tag.view', 'closed'],
  ])
})
