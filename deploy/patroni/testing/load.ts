import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as token from '#account/server/token.ts'
import { aMember } from '#account/testing/factories.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { aTag } from '#tag/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { xsrfOf } from '../../../bench/requests.ts'
import type { Cluster } from './cluster.ts'
import { askEither, type Answer, type Asked } from './request.ts'

export type Load = {
  /** By the texts of the comments. */
  acknowledged: Map<string, { id: string; firstSentAt: number; sentAt: number; at: number }>
  reads: { at: number; path: string; /** Null for a whole page. */ fault: string | null }[]
  /** The pages that visitors read. */
  pages: string[]
  /** Answers that nobody should get. */
  wrong: string[]
  /** Resolves once each writer has its last answer. */
  stop(): Promise<void>
}

type Scene = { cluster: Cluster; database: Database; topics: string[]; load: Load; isOver: boolean }
type Writer = { id: string; ip: string; headers: Record<string, string>; since: number }

const retryMs = 250
// A session lasts fifteen minutes.
const sessionMs = 10 * 60_000
// The limit is twenty comments a minute.
const writePauseMs = 3_200

/** Members who write with idempotency keys until they are answered, and visitors who read, by both balancers. */
export async function startLoad(
  cluster: Cluster,
  database: Database,
  { writers, visitors }: { writers: number; visitors: number },
): Promise<Load> {
  await transact(database, (tx) => applySettings(tx, lenientSettings))
  const people: Promise<void>[] = []
  async function stop(): Promise<void> {
    scene.isOver = true
    await Promise.all(people)
  }
  const scene: Scene = {
    cluster,
    database,
    topics: [],
    load: { acknowledged: new Map(), reads: [], pages: ['/index'], wrong: [], stop },
    isOver: false,
  }
  const members = await Promise.all(Array.from({ length: writers }, (_, n) => aWriter(scene, n)))
  const tagId = await aTag(database)
  scene.topics = await Promise.all(members.slice(0, 8).map((one, n) => publish(scene, one, n, tagId)))
  scene.load.pages.push(...scene.topics.map((id) => `/thread?topicId=${id}`))
  people.push(...members.map((one, n) => write(scene, one, n)))
  for (let n = 0; n < visitors; n++) people.push(visit(scene, n))
  return scene.load
}

async function aWriter(scene: Scene, n: number): Promise<Writer> {
  const ip = `10.77.0.${n + 1}`
  const joining = { account: `writer${n}`, password: 'a long enough password', ip, language: 'en', userAgent: 'test' } as const
  const { id } = await aMember(scene.database, joining)
  const writer: Writer = { id, ip, headers: {}, since: 0 }
  await renew(scene, writer)
  return writer
}

async function renew({ cluster, database }: Scene, one: Writer): Promise<void> {
  const here = { origin: '', ip: one.ip, isLocal: false, language: 'en', userAgent: 'test', authorization: undefined, csrf: '' } as const
  const { accessToken, refreshToken } = await transact(database, (tx) => token.createSession(tx, one.id, here))
  const xsrf = { ...(await xsrfOf(cluster.balancers[0] ?? '')), origin: cluster.publicUrl }
  one.headers = { ...xsrf, authorization: `Bearer ${accessToken},${refreshToken}`, 'x-forwarded-for': one.ip }
  one.since = performance.now()
}

async function publish({ cluster }: Scene, { headers }: Writer, n: number, tagId: string): Promise<string> {
  const form = new URLSearchParams({ tagId, title: `Which water for tea ${n}`, body: JSON.stringify(says('Soft, or hard?')) })
  const asked = { path: '/api/topic/publish', headers: { ...headers, 'idempotency-key': randomUUID() }, form }
  const answer = await askEither(cluster.balancers, n, asked)
  if (typeof answer === 'string' || answer.status !== 200) throw new Error(`No topic: ${JSON.stringify(answer)}`)
  return (JSON.parse(answer.text) as { topicId: string }).topicId
}

async function write(scene: Scene, one: Writer, n: number): Promise<void> {
  for (let round = 0; !scene.isOver; round++) {
    if (performance.now() - one.since > sessionMs) await untilDone(() => renew(scene, one))
    const text = `Comment ${round} of ${one.id}`
    const form = new URLSearchParams({ topicId: scene.topics[(n + round) % scene.topics.length] ?? '', body: JSON.stringify(says(text)) })
    const headers = { ...one.headers, 'idempotency-key': randomUUID() }
    await writeOnce(scene, text, n + round, { path: '/api/comment/add', headers, form })
    await setTimeout(randomInt(writePauseMs, writePauseMs * 1.2))
  }
}

/** Repeats one write, with its key, until it is acknowledged. */
async function writeOnce({ cluster, load }: Scene, text: string, turn: number, asked: Asked): Promise<void> {
  const firstSentAt = performance.now()
  for (let attempt = 0; ; attempt++) {
    const sentAt = performance.now()
    const answer = await askEither(cluster.balancers, turn + attempt, asked)
    if (typeof answer !== 'string' && answer.status === 200) {
      const { commentId: id } = JSON.parse(answer.text) as { commentId: string }
      return void load.acknowledged.set(text, { id, firstSentAt, sentAt, at: performance.now() })
    }
    if (typeof answer !== 'string' && !mayPass(answer)) return void load.wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    await setTimeout(retryMs)
  }
}

/** Whether the same request may succeed in a moment: the database or a server is away, busy, or still at it. */
function mayPass({ status }: Answer): boolean {
  return status >= 500 || status === 409 || status === 429
}

async function visit(scene: Scene, n: number): Promise<void> {
  const { cluster, load } = scene
  for (let turn = n; !scene.isOver;) {
    const [path = '', at] = [load.pages[randomInt(load.pages.length)], performance.now()]
    const answer = await askEither(cluster.balancers, turn, { path, headers: { 'x-forwarded-for': `10.78.0.${n + 1}` } })
    load.reads.push({ at, path, fault: faultOf(answer) })
    // A balancer that does not answer is left, as by an address that moves.
    if (typeof answer === 'string') turn++
    await setTimeout(randomInt(100, 400))
  }
}

function faultOf(answer: Answer | string): string | null {
  if (typeof answer === 'string') return answer
  if (answer.status !== 200) return `${answer.status} ${answer.text.slice(0, 80)}`
  return answer.text.includes('</html>') ? null : 'not a whole page'
}

async function untilDone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch {
      await setTimeout(retryMs)
    }
  }
}
