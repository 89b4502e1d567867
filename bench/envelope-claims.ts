import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type pg from 'pg'
import { Refusal } from '#base/contract.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { prepareRoute, type RequestBody } from '#base/server/http/serve.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { open } from '#red-envelope/server/give.ts'
import { routes } from '#red-envelope/server/routes.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { xsrfOf } from './requests.ts'
import type { ReadyForum } from './forum.ts'
import type { LoadRequest } from './wrk.ts'

/** Logged-in members, each with a number. */
export type Claimers = { giver: string; ids: readonly string[] }

export async function claimers(owner: pg.Pool, count: number): Promise<Claimers> {
  const { rows } = await owner.query<{ id: string }>(
    `with people as (
       insert into member (account, account_key, password_hash, joined_at)
       select 'claimer' || n, 'claimer' || n, '', now() - interval '9 days' from generate_series(0, $1::int) as n returning id, account
     ), sessions as (
       insert into session (member_id, ip, user_agent) select id, '127.0.0.1', 'bench' from people returning id, member_id
     ), tokens as (
       insert into access_token (hash, session_id, expires_at)
       select sha256(convert_to(rtrim(translate(encode(sha256(convert_to(account, 'UTF8')), 'base64'), '+/', '-_'), '='), 'UTF8')),
         sessions.id, now() + interval '2 hours'
       from sessions join people on people.id = member_id)
     select id from people order by substr(account, 8)::int`,
    [count],
  )
  const [giver = '', ...ids] = rows.map(({ id }) => id)
  await owner.query('vacuum analyze member, session, access_token')
  return { giver, ids }
}

function tokenOf(number: number): string {
  return createHash('sha256')
    .update(`claimer${number + 1}`)
    .digest('base64url')
}

/** Gives envelopes, each with a topic that has none yet. */
export function envelopeGiver(database: Database, giver: string, topics: readonly string[]): (quantity: number) => Promise<string> {
  const left = [...topics]
  return async (quantity) => {
    const amount = quantity * 10
    await endow(database, giver, amount)
    return transact(database, async (tx) => {
      const its = { kind: 'random', currency: 'points', quantity } as const
      const { id } = await tx
        .insertInto('red_envelope')
        .values({ ...its, giver_id: giver, topic_id: left.pop() ?? null, amount: String(amount), cover: 'tea' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await open(tx, { ...its, id, giverId: giver, amount: toMinor(amount), receiverId: null })
      return id
    })
  }
}

type Claims = { envelopeId: string; from: number; to: number }

/** The claims of some members, as browsers send them. */
export async function claimsOf(url: string, { envelopeId, from, to }: Claims): Promise<LoadRequest[]> {
  const token = await xsrfOf(url)
  const fixed = { ...token, 'content-type': 'application/x-www-form-urlencoded' }
  return Array.from({ length: to - from }, (_, n) => ({
    path: `/api${openEnvelope.path}`,
    headers: { ...fixed, authorization: `Bearer ${tokenOf(from + n)}` },
    body: `envelopeId=${envelopeId}`,
  }))
}

export type Spike = { /** The wait of each claim, in milliseconds. */ took: number[]; opened: number }

/** All at once, on open connections. */
export async function requestsAtOnce(forums: readonly ReadyForum[], envelopeId: string, count: number): Promise<Spike> {
  const agent = new Agent({ keepAlive: true, maxSockets: count, maxFreeSockets: count })
  const each = count / forums.length
  const asks = await Promise.all(
    forums.map(async ({ url }, n) =>
      (await claimsOf(url, { envelopeId, from: n * each, to: (n + 1) * each })).map((ask) => ({ url, ask })),
    ),
  )
  const all = asks.flat()
  await Promise.all(all.map(({ url }) => send(agent, url, { path: '/api/baseInfo' })))
  const spike = await timed(
    all.map(({ url, ask }, n) => async () => {
      const headers = { ...ask.headers, 'idempotency-key': `envelope-${envelopeId}-of-claimer-${n}` }
      const status = await send(agent, url, { ...ask, headers })
      if (status !== 200 && status !== 409) throw new Error(`A claim was answered with ${status}`)
      return status === 200
    }),
  )
  agent.destroy()
  return spike
}

/** The same calls in this process, without HTTP and authentication. */
export function callsAtOnce(database: Database, memberIds: readonly string[], envelopeId: string): Promise<Spike> {
  const route = routes.find(({ endpoint }) => endpoint === openEnvelope)
  if (!route) throw new Error('Envelopes cannot be opened')
  const { answer } = prepareRoute(route, { database, checked: false })
  const client: ClientInfo = {
    origin: '',
    ip: '127.0.0.1',
    isLocal: false,
    language: 'en',
    userAgent: 'bench',
    authorization: undefined,
    csrf: '',
  }
  const admit = async () => async () => undefined
  return timed(
    memberIds.map((id, n) => async () => {
      const viewer: Member = { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
      const sent = async (): Promise<RequestBody> => ({ body: { as: 'values', values: { envelopeId } }, upload: null })
      const call = {
        viewer,
        client,
        readBody: sent,
        idempotencyKey: `envelope-${envelopeId}-of-claimer-${n}`,
        setSecretCookie: () => undefined,
      }
      try {
        await answer(call, admit)
        return true
      } catch (error) {
        if (error instanceof Refusal) return false
        throw error
      }
    }),
  )
}

async function timed(actions: readonly (() => Promise<boolean>)[]): Promise<Spike> {
  const took: number[] = []
  const opened = await Promise.all(
    actions.map(async (action) => {
      const began = performance.now()
      const isOpened = await action()
      took.push(performance.now() - began)
      return isOpened
    }),
  )
  return { took, opened: opened.filter(Boolean).length }
}

function send(agent: Agent, url: string, { path, headers = {}, body }: LoadRequest): Promise<number> {
  return new Promise((done, fail) => {
    const asked = request(url + path, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0))
    })
    asked.once('error', fail).end(body)
  })
}
