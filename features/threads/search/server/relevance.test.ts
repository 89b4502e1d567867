import { afterAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { sampleDatabase } from '#base/testing/sample.ts'
import { readSample } from '#database/sample/read.ts'
import { aGround } from '#search/testing/engine-suite.ts'
import { aSearchServer } from '#search/testing/opensearch.ts'
import { findsWhatIsMeant, namesOfSample, writePosts } from '#search/testing/relevance.ts'

const ground = await aGround({ fresh: sampleDatabase })
const titles = readSample().topics.map(({ title }) => title)
const names = new Map([...(await namesOfSample(ground.forum.database, titles)), ...(await writePosts(ground))])
const standIn = await aSearchServer()
afterAll(() => standIn.close())

test('over two hundred queries the database finds nearly all expected posts among the first ten, and a search server as many', async () => {
  await finds(ground.forum)
  await ground.forum.app.close()
  const { database, ownerUrl } = ground.forum
  const forum = await aForum({ searchUrl: standIn.url, fresh: async () => ({ database, ownerUrl, close: async () => undefined }) })
  // Before the queue is filled, it looks empty.
  const madeBy = () => database.app.selectFrom('search_state').select('made_by').executeTakeFirstOrThrow()
  await expect.poll(madeBy).toMatchObject({ made_by: expect.stringMatching(/^opensearch /) })
  await finds(forum)
})

async function finds(forum: Forum): Promise<void> {
  const { queries, recall, missed } = await findsWhatIsMeant(forum, names)
  expect(queries).toBeGreaterThan(200)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
}
