import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#content/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let chief: Staffer
let owner: pg.Client

// A forum so large that statements over a tag or a month exceed the request timeout.
beforeAll(async () => {
  const fresh = await freshDatabase()
  const longestMs = { app: 2_000, reader: 2_000 }
  const database = openDatabase(addressesOf(fresh.ownerUrl), {
    features,
    size: 8,
    minSize: 0,
    onLost: () => undefined,
    statementTimeoutsMs: longestMs,
  })
  const close = async () => {
    await owner.end()
    await database.close()
    await fresh.close()
  }
  forum = await aForum({ fresh: async () => ({ ...fresh, database, close }) })
  chief = await aStaffer(forum)
  owner = new pg.Client({ connectionString: fresh.ownerUrl })
  await owner.connect()
})

test('the removal of a tag with very many topics runs to its end, and a member’s request is ended', async () => {
  const [from, to] = [await aTag(forum.database), await aTag(forum.database)]
  const ann = await forum.member()
  const topicId = await aTopic(ann, from)
  await slowly('before update on topic')
  expect(await chief.call(contract.removeTag, { tagId: from, to })).toEqual({ moved: 1 })
  expect((await ann.tryCall(removeTopic, { topicId })).status).toBe(503)
  await atOnce()
})

test('purging a topic with very much under it is done to its end', async () => {
  const ann = await forum.member()
  const topicId = await aTopic(ann, await aTag(forum.database))
  await ann.call(removeTopic, { topicId })
  await slowly('before update or delete on topic')
  await chief.call(contract.purgeTopic, { topicId, reason: 'asked for by its author' })
  await atOnce()
})

async function slowly(when: string): Promise<void> {
  await owner.query(`create function is_slow() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return null; end $$;
    create trigger slow ${when} for each statement execute function is_slow()`)
}

async function atOnce(): Promise<void> {
  await owner.query('drop function is_slow cascade')
}
