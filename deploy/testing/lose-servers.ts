import { expect, test } from 'vitest'
import { until } from '#base/testing/waits.ts'
import { sendFile } from '#file/testing/factories.ts'
import { plain } from '#file/testing/factories.ts'
import type { OperatedForum } from './operated-forum.ts'
import type { People } from './people.ts'
import { expectStoredOnce } from './round.ts'
import { startWriters } from './writers.ts'

/** The tests of a part in front of two servers: one is stopped and goes on, then it is killed. The last tests of a file. */
export function loseServers({ forum, people: { browser, member, topicId } }: { forum: OperatedForum; people: People }): void {
  test('a server that accepts and never answers is left, and pages, comments and uploads go to the other', async () => {
    const [people, uploader, reader] = [await Promise.all(Array.from({ length: 4 }, member)), await member(), browser()]
    const writers = startWriters(people, topicId)
    await writers.more(1)
    forum.servers[0]?.signal('SIGSTOP')
    try {
      await writers.more(2)
      const statuses: number[] = []
      for (let n = 0; n < 20; n++) statuses.push((await reader.send({ url: `/index?page=${n + 1}` })).statusCode)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
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
    const statuses: number[] = []
    for (let n = 0; n < 20; n++) statuses.push((await reader.send({ url: `/index?page=${n + 1}` })).statusCode)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await writers.more(2)
    await expectStoredOnce(forum.database, await writers.stop())
  })
}
