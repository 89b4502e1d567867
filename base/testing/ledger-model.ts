import { sql } from 'kysely'
import { pino } from 'pino'
import { z } from 'zod'
import { id, NotAllowed, refusal, write } from '#base/contract.ts'
import { csrfGuard } from '#base/server/security/csrf.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase, type Database, type Db } from '#base/server/database/database.ts'
import { openHttpServer } from '#base/server/http/http.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'
import { anyone, members, route, type Route, type Viewer } from '#base/server/http/route.ts'
import { prepareRoute } from '#base/server/http/serve.ts'

/** The tables of the test purses, created by the owner of the database. */
export const tables = `
  create table purse (id bigint primary key, coins int not null check (coins >= 0));
  create table bank_call (id bigint generated always as identity primary key, purse bigint not null);
  grant select, insert, update on purse, bank_call to teahouse_app`

export const InsufficientCoins = refusal('base.noneMatch', { field: 'coins' })
const paid = { output: z.object({ left: z.number() }) }
const form = { coins: z.number().int().min(1).max(1_000), note: z.string().max(100).default(''), to: z.array(id).default([]) }

/** Calls an external bank, and withdraws coins. */
export const pay = write('/purse/pay', { summary: 'Pays.', input: z.object(form), ...paid, errors: [InsufficientCoins] })
/** The same with a card, which needs no authentication. */
export const payByCard = write('/purse/payByCard', {
  summary: 'Pays.',
  input: z.object({ ...form, purse: id }),
  ...paid,
  errors: [InsufficientCoins],
})
/** The same in one transaction, with an optional idempotency key. */
export const spend = write('/purse/spend', { summary: 'Spends.', input: z.object(form), ...paid, errors: [InsufficientCoins] })
/** The same with a required idempotency key. */
export const spendWithKey = write('/purse/spendWithKey', {
  summary: 'Spends.',
  input: z.object(form),
  ...paid,
  errors: [InsufficientCoins],
})

/** Hooks where a process may die, or the bank be slow. */
export type PaymentHooks = Partial<Record<'asked' | 'taken' | 'paid', () => Promise<void> | void>>

export function purseRoutes(bank: Db, hooks: PaymentHooks): Route[] {
  async function ask(purse: string): Promise<undefined> {
    await sql`insert into bank_call (purse) values (${purse})`.execute(bank)
    await hooks.asked?.()
    return undefined
  }
  async function take(tx: Db, purse: string, coins: number): Promise<{ left: number }> {
    const { rows } = await sql<{ coins: number }>`select coins from purse where id = ${purse} for update`.execute(tx)
    const left = (rows[0]?.coins ?? 0) - coins
    if (left < 0) throw InsufficientCoins({})
    await sql`update purse set coins = ${left} where id = ${purse}`.execute(tx)
    await hooks.taken?.()
    return { left }
  }
  const mayPay = (viewer: Viewer) => {
    const member = members(viewer)
    if (!member.may('post.like')) throw NotAllowed()
    return member
  }
  const limits = [{ times: 20, seconds: 600, by: 'member', countsRefused: false } as const]
  return [
    route(pay, mayPay, ({ db, viewer, input }) => take(db, viewer.id, input.coins), {
      prepare: ({ viewer }) => ask(viewer.id),
      requiresIdempotencyKey: true,
      limits,
    }),
    route(payByCard, anyone, ({ db, input }) => take(db, input.purse, input.coins), {
      prepare: ({ input }) => ask(input.purse),
      requiresIdempotencyKey: true,
    }),
    route(spend, mayPay, ({ db, viewer, input }) => take(db, viewer.id, input.coins), { limits }),
    route(spendWithKey, mayPay, ({ db, viewer, input }) => take(db, viewer.id, input.coins), { requiresIdempotencyKey: true }),
  ]
}

const csrf = csrfGuard(Buffer.alloc(32, 'a key of the tests'))

/** The headers of a browser with its own cookie. */
export function headersOf(who: string, key?: string): Record<string, string> {
  const token = csrf.make()
  return {
    cookie: `cms_token=${token}`,
    'bbs-xsrf-token': token,
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
    authorization: who,
    ...(key !== undefined && { 'idempotency-key': key }),
  }
}

/** A purse server. The client names itself in a header, which no real server would trust. */
export async function openPurses(addresses: { app: string; reader: string }, hooks: PaymentHooks = {}) {
  const database: Database = openDatabase(addresses, { features, size: 8, onLost: () => undefined })
  const app = await openHttpServer({
    routes: purseRoutes(database.app, hooks).map((route) => prepareRoute(route, { database, checked: true })),
    csrf,
    cache: new PageCache(0),
    log: pino({ level: 'silent' }),
    authenticate: async (authorization = '') => viewerCalled(authorization),
    authenticateForRead: async (authorization = '') => viewerCalled(authorization),
    reauthenticate: async (viewer) => viewer,
    authenticateStaff: async () => viewerCalled(''),
    publicUrl: null,
    trustProxy: [],
    headers: {},
    pageHeaders: {},
    cachedAudience: () => null,
    fastPath: () => false,
  })
  if (hooks.paid) app.addHook('onSend', async (request) => void (request.method === 'POST' && (await hooks.paid?.())))
  app.addHook('onClose', () => database.close())
  return app
}

function viewerCalled(name: string): Viewer {
  const [id = '', rights = ''] = name.split(' ')
  return { id: id || null, may: () => rights !== 'barred', where: () => ({ except: [] }), audience: 'all', ...(id && { sessionId: id }) }
}
