import { expect, test } from 'vitest'
import { readConfig } from '#base/server/config.ts'
import { readSample } from '#database/sample/read.ts'
import { seedSample } from '#database/seed.ts'
import { aGround } from '#search/server/finding/example.ts'
import { findsWhatIsMeant } from '#search/server/relevance/example.ts'

test('of what is meant by over two hundred queries, the database finds nearly all among the first ten', async () => {
  const ground = await aGround(null)
  await seedSample(ground.forum.database, readConfig({ TEAHOUSE_DATA: ground.forum.dataDir }))
  const titles = readSample().topics.map(({ title }) => title)
  const { queries, recall, missed } = await findsWhatIsMeant(ground, titles)
  expect(queries).toBeGreaterThan(200)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
}, 180_000)
