import { expect, test } from 'vitest'
import { until } from '#base/testing/waits.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import type { Connection } from './connection.ts'
import type { OperatedForum } from './operated-forum.ts'
import type { People } from './people.ts'
import { expectStoredOnce } from './round.ts'
import { startWriters } from './writers.ts'

/** The tests of a part in front of two servers: one is stopped and goes on, then it is killed. The last tests of a file. */
export function loseServers({ forum, people: { browser, member, topicId } }: { forum: OperatedForum; people: People }): void {
  // Its transactions end after half a minute, and with them the locks that a writer may wait for.
  test('a server that accepts and never answers is left, and pages, comments and uploads go to the other', async () => {
    const [people, uploader, reader] = [await Promise.all(Array.from({ length: 4 }, member)), await member(), browser()]
    const writers = startWriters(people, topicId)
    await writers.more(1)
    forum.servers[0]?.signal('SIGSTOP')
    try {
      await writers.more(2)
      expect(await readPages(reader)).toEqual([])
      await until(async () => (await sendFile(uploader, '/file/picture', { bytes: await plain().png().toBuffer() })).statusCode === 200)
    } finally {
      forum.servers[0]?.signal('SIGCONT')
    }
    await writers.more(1)
    await expectStoredOnce(forum.database, await writers.stop())
  })

  test('a killed server is left at once', async () => {
    const [people, reader] = [await Promise.all(Array.from({ length: 4 }, member)), browser()]
    const writers = startWriters(people, topicId)
    await writers.more(1)
    forum.servers[0]?.signal('SIGKILL')
    expect(await readPages(reader)).toEqual([])
    await writers.more(2)
    await expectStoredOnce(forum.database, await writers.stop())
  })
}

/** Reads twenty pages, which a part would give to both servers. Returns the statuses that tell of a failure. */
async function readPages(reader: Connection): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) statuses.push((await reader.send({ url: '/index' })).statusCode)
  return statuses.filter((status) => status !== 200)
}
