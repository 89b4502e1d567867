import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import type { Member } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { receive } from '#payment/server/inbox.ts'
import { begin, topUp } from '#payment/server/order.ts'
import { paymentOf, signNotification } from '#payment/server/providers/sandbox.ts'
import { processInbox } from '#payment/server/settle.ts'
import * as setting from '#setting/server/setting.ts'
import { toMinor } from '#wallet/contract.ts'
import { repeat } from './repeat.ts'
import { print, type Row } from './table.ts'

// Payments with the sandbox, each order durable, compared with bare inserts; a thousand notifications of one payment; and as many of other
// payments, processed.
const terms = { seconds: Number(process.env['BENCH_SECONDS'] ?? 5), connections: 16 }
const folder = mkdtempSync(join(tmpdir(), 'teahouse-payment-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
try {
  await migrate(server.ownerUrl)
  const owner = new pg.Pool({ connectionString: server.ownerUrl, max: terms.connections })
  const database = openDatabase(addressesOf(server.ownerUrl), { features, size: terms.connections, onLost: () => undefined })
  await owner.query(
    "insert into member (account, account_key, password_hash, joined_at) select 'm' || n, 'm' || n, '', now() - interval '9 days' from generate_series(1, 100000) as n",
  )
  await owner.query('create table bare (id bigint generated always as identity primary key, at_id bigint, amount bigint not null)')
  await transact(database, async (tx) => {
    for (const [name, value] of [
      ['allowCash', true],
      ['paymentProviders', ['sandbox']],
      ['maxTopUpCentsPerDay', 99_999_999],
    ] as const)
      await setting.change(tx, name, value as never, 'bench')
  })
  const { rows } = await owner.query<{ id: string }>('select id from member order by id')
  const secret = await secretOf(database.app, 'payment sandbox')
  const numbers: string[] = []
  let next = 0
  const measured: Row[] = []
  const bare = () => owner.query({ name: 'bare', text: 'insert into bare (at_id, amount) values (1, 2), (1, 3), (2, 3)' })
  measured.push({ name: 'bare inserts of three rows', figure: await repeat(bare, terms) })
  measured.push({ name: 'payments begun with the sandbox', figure: await repeat(order, terms) })
  print(measured)

  const [first = '', ...others] = numbers
  const again = await timed(Array.from({ length: 1_000 }, () => first).map((number) => () => tell(number)))
  console.log(`1,000 notifications of one payment: each answered, ${Math.round(1_000_000 / again)} a second`)
  await timed(others.slice(0, 2_000).map((number) => () => tell(number)))
  const began = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => processInbox(database)))
  const { rows: credited } = await owner.query<{ count: number }>("select count(*)::int as count from payment_order where state = 'paid'")
  const count = credited[0]?.count ?? 0
  console.log(`${count} payments credited, ${Math.round((count * 1_000) / (performance.now() - began))} a second`)
  await database.close()
  await owner.end()

  async function order(): Promise<void> {
    const member = { id: rows[next++ % rows.length]?.id ?? '', sessionId: '', may: () => true } as unknown as Member
    const from = { origin: '', ip: '127.0.0.1', isLocal: true, language: 'en', userAgent: '', authorization: undefined, csrf: '' } as const
    const input = { amount: toMinor(1_250), provider: 'sandbox', method: 'page' } as const
    const begun = await begin({
      db: database.app,
      viewer: member,
      input,
      client: from,
      upload: null,
      idempotencyKey: null,
      inSeparateTransaction: (action) => transact(database, action),
    })
    await transact(database, (tx) => topUp(tx, member, begun))
    numbers.push(begun.number)
  }

  async function tell(number: string): Promise<void> {
    const { headers, body } = signNotification(secret, paymentOf({ number, cents: '1250', paid_at: new Date() }))
    const { status } = await receive(database, { name: 'sandbox', headers, body, ip: '127.0.0.1', at: new Date() })
    if (status !== 200) throw new Error('A notification was refused')
  }

  async function timed(actions: (() => Promise<void>)[]): Promise<number> {
    const from = performance.now()
    const waiting = [...actions]
    const work = async () => {
      for (let action = waiting.pop(); action; action = waiting.pop()) await action()
    }
    await Promise.all(Array.from({ length: terms.connections }, work))
    return performance.now() - from
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
