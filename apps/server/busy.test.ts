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
/** One for each of them, so that their comments do not wait for each other. */
let topics: Map<Person, string>

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  people = await Promise.all(Array.from({ length: 5 }, () => forum.member()))
  const tagId = await aTag(forum.database)
  topics = new Map(await Promise.all(people.map(async (who): Promise<[Person, string]> => [who, await aTopic(who, tagId)])))
})

const comment = (who: Person) => who.tryCall(addComment, { topicId: topics.get(who) ?? '', body: says('now') }, newIdempotencyKey())
const told = ({ status, response }: Awaited<ReturnType<typeof comment>>) => [status, response.body, response.headers['retry-after']]

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

/** Occupies every connection of a pool. */
async function occupyConnections(name: 'app' | 'reader') {
  const end = Promise.withResolvers<void>()
  let occupied = 0
  const inUse = Array.from({ length: 12 }, () =>
    forum.database[name].connection().execute(() => {
      occupied++
      return end.promise
    }),
  )
  async function release(): Promise<void> {
    end.resolve()
    await Promise.all(inUse)
  }
  onTestFinished(release)
  await until(() => occupied === inUse.length)
  return release
}

test('twenty comments at once wait for a connection as long as a call may take, and none is answered as unavailable', async () => {
  const release = await occupyConnections('app')
  setClock()
  const all = people.flatMap((who) => Array.from({ length: 4 }, () => comment(who)))
  await until(() => pool('app').waiting === all.length)
  vi.advanceTimersByTime(14_000)
  await release()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('a call that waited for a connection until its deadline is told that the forum is busy, and not unavailable', async () => {
  const release = await occupyConnections('app')
  setClock()
  const calls = people.map(comment)
  await until(() => pool('app').waiting === calls.length)
  vi.advanceTimersByTime(15_000)
  for (const answer of await Promise.all(calls)) expect(told(answer)).toEqual([503, words.overloaded, '1'])
  // Readers have connections of their own, which a lost database would have closed.
  for (const topicId of topics.values()) expect((await forum.visitor().tryCall(listComments, { topicId })).status).toBe(200)
  await release()
  for (const who of people) expect((await comment(who)).status).toBe(200)
  await until(() => forum.database.pools().every(({ total, idle, waiting }) => total === idle && waiting === 0))
})

test('a statement that timed out is answered 503 as busy, with a delay after which no browser retries by itself', async () => {
  const [holder, canceller] = [new pg.Client({ connectionString: forum.ownerUrl }), new pg.Client({ connectionString: forum.ownerUrl })]
  await Promise.all([holder.connect(), canceller.connect()])
  onTestFinished(async () => void (await Promise.all([holder.end(), canceller.end()])))
  await holder.query('begin')
  await holder.query('lock table topic in share mode')
  const calls = people.map(comment)
  let isOver = false
  const answers = Promise.all(calls).finally(() => (isOver = true))
  await until(async () => {
    // As PostgreSQL does when the time of a statement is over.
    await canceller.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return isOver
  })
  for (const answer of await answers) expect(told(answer)).toEqual([503, words.overloaded, '5'])
})

test('a server with all connections in use is busy and not down, so that no load balancer removes it', async () => {
  const release = await occupyConnections('reader')
  setClock()
  const health = forum.app.inject('/health')
  await until(() => pool('reader').waiting === 1)
  vi.advanceTimersByTime(1_500)
  expect(await health).toMatchObject({ statusCode: 200 })
  expect((await health).json()).toMatchObject({ process: 'up', database: 'busy' })
  await release()
  expect((await forum.app.inject('/health')).json()).toMatchObject({ database: 'up', migrations: 'current' })
})
