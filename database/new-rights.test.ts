import { afterAll, beforeEach, expect, test } from 'vitest'
import type pg from 'pg'
import { freshDatabase } from '#base/testing/database.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { declaredRights, giveNewRights } from '#database/new-rights.ts'
import { aClosedTag, aRole } from '#tag/testing/factories.ts'

const { database, ownerUrl, close } = await freshDatabase()
const client: pg.Client = await connectAsOwner(ownerUrl)
afterAll(async () => {
  await client.end()
  await close()
})
beforeEach(() => client.query("delete from known_right where name like 'poll.%'"))

const withPolls = {
  all: [...declaredRights.all, 'poll.create', 'poll.close'],
  byDefault: [...declaredRights.byDefault, 'poll.create'],
  forPosting: [...declaredRights.forPosting, 'poll.create', 'poll.close'],
}

async function rightsOfDefault(): Promise<string[]> {
  const { rows } = await client.query<{ right: string }>(
    'select right_name as right from role_right join role on role.id = role_id where is_default order by 1',
  )
  return rows.map(({ right }) => right)
}

async function takeAway(right: string): Promise<void> {
  await client.query('delete from role_right where right_name = $1', [right])
}

test('the default role of a new forum has every right that a feature declares for it, and no other', async () => {
  expect(await rightsOfDefault()).toEqual([...declaredRights.byDefault].toSorted())
})

test('a right added by an update is given to the default role, once: removed, it stays removed', async () => {
  const before = await rightsOfDefault()
  await giveNewRights(client, withPolls)
  expect(await rightsOfDefault()).toEqual([...before, 'poll.create'].toSorted())
  await takeAway('poll.create')
  await takeAway('post.like')
  await giveNewRights(client, withPolls)
  expect(await rightsOfDefault()).toEqual(before.filter((right) => right !== 'post.like'))
})

test('a right of a restricted tag is given to the roles that may post there', async () => {
  const { tagId, roleId: writer } = await aClosedTag(database)
  const reader = await aRole(database, ['tag.view'], tagId)
  const elsewhere = await aRole(database, ['topic.publish'])
  await giveNewRights(client, withPolls)
  const { rows } = await client.query(
    `select role_id, tag_id from role_right where right_name = 'poll.create' and role_id = any($1) order by 1, 2`,
    [[writer, reader, elsewhere]],
  )
  expect(rows).toEqual([{ role_id: writer, tag_id: tagId }])
})
