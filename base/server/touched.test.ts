import { expect, test } from 'vitest'
import { transact } from '#base/server/database.ts'
import { touch, Touches } from '#base/server/touched.ts'
import { freshDatabase } from '#base/testing/database.ts'

test('what was touched right before a program ends is heard by the others', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const heard: unknown[] = []
  const other = new Touches(ownerUrl)
  await other.listen(() => undefined)
  other.on((tags) => heard.push(tags))

  await database.touches.listen(() => undefined)
  await transact(database, async (tx) => touch(tx, 'topic:1', 'index'))
  await database.close()
  await expect.poll(() => heard).toEqual([['topic:1', 'index']])
  await other.close()
  await close()
})
