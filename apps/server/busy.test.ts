import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import words from '#base/words/base/en.json' with { type: 'json' }
import { addComment, listComments } from '#comment/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let people: Person[]
let topicId: string

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  people = await Promise.all(Array.from({ length: 5 }, () => forum.member()))
  topicId = await aTopic(await forum.member(), await aTag(forum.database))
})

const comment = (who: Person) => who.tryCall(addComment, { topicId, body: says('now') }, newIdempotencyKey())

function pool(called: 'app' | 'reader') {
  const found = forum.database.pools().find(({ name }) => name === called)
  if (!found) throw new Error('There is no such pool')
  return found
}

/** Sets the clock of timeouts; the database goes by its own. */
function setClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Keeps every writer under this topic waiting. */
async function lockTopic() {
  const [holder, watcher] = [new pg.Client({ connectionString: forum.ownerUrl }), new pg.Client({ connectionString: forum.ownerUrl })]
  await Promise.all([holder.connect(), watcher.connect()])
  await holder.query('begin')
  await holder.query('select from topic where id = $1 for update', [topicId])
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const unlock = async () => void (await Promise.all([holder.end(), watcher.end()]))
  onTestFinished(unlock)
  return { countWaiting: async () => (await watcher.query(waiting)).rowCount, unlock }
}

/** Occupies every connection of a pool. */
async function occupyConnections(name: 'app' | 'reader') {
  const end = Promise.withResolvers<void>()
  const inUse = Array.from({ length: 12 }, () => forum.database[name].connection().execute(() => end.promise))
  async function release(): Promise<void> {
    end.resolve()
    await Promise.all(inUse)
  }
  onTestFinished(release)
  await until(() => pool(name).total - pool(name).idle === inUse.length)
  return release
}

test('fifty comments at once wait for a connection as long as a call may take, and none is told that the forum is away', async () => {
  setClock()
  const { countWaiting, unlock } = await lockTopic()
  const all = people.flatMap((who) => Array.from({ length: 10 }, () => comment(who)))
  await until(async () => pool('app').waiting === 38 && (await countWaiting()) === 12)
  vi.advanceTimersByTime(14_000)
  await unlock()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(50).fill(200))
})

test('a call that has waited for a connection until its deadline is told that the forum is busy, and not that it is away', async () => {
  setClock()
  const release = await occupyConnections('app')
  const calls = people.map(comment)
  await until(() => pool('app').waiting === calls.length)
  vi.advanceTimersByTime(15_000)
  for (const { status, response } of await Promise.all(calls)) {
    expect([status, response.body, response.headers['retry-after']]).toEqual([503, words.overloaded, '1'])
  }
  // Readers have connections of their own, which a lost database would have closed.
  expect((await forum.visitor().tryCall(listComments, { topicId })).status).toBe(200)
  await release()
  for (const who of people) expect((await comment(who)).status).toBe(200)
  await until(() => forum.database.pools().every(({ total, idle, waiting }) => total === idle && waiting === 0))
})

test('a server whose connections are all in use is busy and not ill, so that no load balancer leaves it', async () => {
  setClock()
  const release = await occupyConnections('reader')
  const health = forum.app.inject('/health')
  await until(() => pool('reader').waiting === 1)
  vi.advanceTimersByTime(1_500)
  expect(await health).toMatchObject({ statusCode: 200 })
  expect((await health).json()).toMatchObject({ process: 'up', database: 'busy' })
  await release()
  expect((await forum.app.inject('/health')).json()).toMatchObject({ database: 'up', migrations: 'current' })
})
