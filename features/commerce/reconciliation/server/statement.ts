import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import { insertRows, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { providerNames, type ProviderName } from '#payment/contract.ts'
import { compare, compareOpen, missingOrders } from '#reconciliation/server/differences.ts'
import * as payment from '#payment/server/payment.ts'
import { UnreadableStatement, type Provider, type StatementLine } from '#payment/server/payment.ts'
import { forgetFailure, recordFailure } from '#reconciliation/server/statement-failures.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Providers keep their statements longer; after a longer outage differences are found by other means. */
const daysBack = 31
/** A day that could not be taken is tried again as long as providers keep its statement. */
const daysKept = 90
const dayMs = 86_400_000

type ComparedProvider = Pick<Provider, 'name' | 'zone' | 'listsDisputes'>

/** Fetches the available statements and compares them. A frozen ledger cannot book their fees, so they wait for the thaw. */
export async function fetchStatements(database: Database, log: Log): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const failed: unknown[] = []
  for (const name of providerNames) {
    try {
      failed.push(...(await fetchFor(database, log, name)))
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `Statements that could not be taken: ${failed.join('; ')}`)
}

/** A failure for one day or provider does not hold up the others. */
async function fetchFor(database: Database, log: Log, name: ProviderName): Promise<unknown[]> {
  const since = await firstOrder(database.app, name)
  if (!since) return []
  const provider = await payment.findProvider(database.app, name)
  if (!provider) {
    log.warn({ provider: name }, 'Statements of a payment provider cannot be taken: its keys are gone')
    return []
  }
  const { failed, isAway } = await fetchMissing(database, provider, since)
  await transact(database, (tx) => compareOpen(tx, provider, addDays(today(provider), -daysBack)))
  if (!isAway)
    for (const number of await missingOrders(database.app, name))
      await payment.tryQuery(database, { number, provider: name, isOver: false })
  return failed
}

// So many days without any answer in a row: the provider is away, and all missing days are retried in an hour.
const maxUnanswered = 3

/** A day that cannot be taken is kept as such, and does not hold up the others: those that failed most often come last. */
async function fetchMissing(database: Database, provider: Provider, since: Date): Promise<{ failed: unknown[]; isAway: boolean }> {
  const failed: unknown[] = []
  let unanswered = 0
  for (const day of await missingDays(database.app, provider, since)) {
    const error = await fetchDay(database, provider, day)
    const isUnanswered = error instanceof RequestFailed && !(error instanceof UnreadableStatement)
    unanswered = isUnanswered ? unanswered + 1 : 0
    if (unanswered === maxUnanswered) return { failed, isAway: true }
    if (error !== null && !(error instanceof RequestFailed)) failed.push(error)
  }
  return { failed, isAway: unanswered > 0 }
}

// A statement is mostly ready on the next morning, and rarely later.
const daysUntilReady = 3

/** Takes the statement of a day. Returns the error for which it could not, after recording it. */
async function fetchDay(database: Database, provider: Provider, day: string): Promise<unknown> {
  try {
    const lines = await provider.statement(day)
    if (lines) await transact(database, (tx) => writeStatement(tx, provider, day, lines))
    else if (day < addDays(today(provider), -daysUntilReady))
      await transact(database, (tx) => recordFailure(tx, provider.name, day, { problem: 'notReady', detail: '' }))
    return null
  } catch (error) {
    // The statement may be right; the database could not store it.
    if (error instanceof pg.DatabaseError) return error
    const isUnanswered = error instanceof RequestFailed && !(error instanceof UnreadableStatement)
    const failure = { problem: isUnanswered ? 'noAnswer' : 'unreadable', detail: messageOf(error) } as const
    await transact(database, (tx) => recordFailure(tx, provider.name, day, failure))
    return error
  }
}

async function firstOrder(db: Db, provider: ProviderName): Promise<Date | null> {
  const { first } = await db
    .selectFrom('payment_order')
    .select((row) => row.fn.min('created_at').as('first'))
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
  return first
}

function messageOf(error: unknown): string {
  const text =
    error instanceof z.ZodError ? `It has other fields: ${error.issues.map(({ path }) => path.join('.')).join(', ')}` : String(error)
  return text.replaceAll('\0', '').toWellFormed().slice(0, 500)
}

function today({ zone }: Provider): string {
  return dayAt(Date.now(), zone)
}

async function missingDays(db: Db, provider: Provider, since: Date): Promise<string[]> {
  const [earliest, end] = [addDays(today(provider), -daysBack), today(provider)]
  const first = dayAt(since, provider.zone)
  const { rows } = await sql<{ day: string }>`
    select its.day::text from (
      select its::date as day from generate_series(${first > earliest ? first : earliest}::date, ${end}::date - 1, interval '1 day') as its
      union select day from payment_statement_failure where provider = ${provider.name} and day >= ${addDays(end, -daysKept)}::date) as its
    left join payment_statement_failure as failure on failure.provider = ${provider.name} and failure.day = its.day
    where not exists (select from payment_statement as told where told.provider = ${provider.name} and told.day = its.day)
    order by coalesce(tries, 0), its.day`.execute(db)
  return rows.map(({ day }) => day)
}

/** Stores a statement with its lines, books its fees and records its differences; idempotent. */
export async function writeStatement(tx: Db, provider: ComparedProvider, day: string, received: readonly StatementLine[]): Promise<void> {
  const lines = validLines(provider, day, received)
  const { name } = provider
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment statement ${name}`}, 0))`.execute(tx)
  const known = await tx
    .selectFrom('payment_statement')
    .select('id')
    .where('provider', '=', name)
    .where('day', '=', sql<Date>`${day}::date`)
    .executeTakeFirst()
  if (known) return
  const feeCents = sum(lines.map((line) => line.feeCents))
  const { id } = await tx
    .insertInto('payment_statement')
    .values({
      provider: name,
      day,
      ...totals(lines),
      fee_cents: String(feeCents),
      transaction_id: feeCents === 0n ? null : await bookFees(tx, name, day, feeCents),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (lines.length > 0)
    await insertRows(
      tx,
      'payment_statement_line',
      lines.map((line, place) => rowOf(id, place, line)),
    ).execute()
  await forgetFailure(tx, name, day)
  await compare(tx, { id, name, listsDisputes: provider.listsDisputes ?? false, ...dayBounds(provider, day) })
  for (const { number, hasFailed } of await changedRefunds(tx, name, id)) await payment.scheduleRefund(tx, name, number, hasFailed)
}

/** Refunds of ours that the statement contains and that are not done here, or that failed there after they were. */
async function changedRefunds(tx: Db, provider: ProviderName, statementId: string): Promise<{ number: string; hasFailed: boolean }[]> {
  const { rows } = await sql<{ number: string; hasFailed: boolean }>`
    select back.number, bool_or(line.kind = 'refundFailure') as "hasFailed"
    from payment_statement_line as line join payment_refund as back on back.number = line.number
    where statement_id = ${statementId} and back.provider = ${provider} and back.reported_by is null
      and (line.kind = 'refund' and back.state = 'asked' or line.kind = 'refundFailure' and back.state in ('asked', 'done'))
    group by back.number`.execute(tx)
  return rows
}

/** Fees reduce our claim on the provider. */
async function bookFees(tx: Db, provider: ProviderName, day: string, amount: bigint): Promise<string> {
  const { id } = await wallet.transfer(tx, {
    from: { account: 'fee' },
    to: { account: 'clearing', label: provider },
    currency: 'cny',
    amount,
    kind: 'paymentFee',
    source: `fee:${provider}:${day}`,
    by: { kind: 'forum' },
  })
  return id
}

const maxCents = 10n ** 15n
const printable = z.string().regex(/^[^\0]{1,200}$/)
const Lines = z.array(
  z.object({
    kind: z.enum(['payment', 'refund', 'refundFailure', 'dispute', 'disputeReversal', 'fee', 'other']),
    number: printable.nullable(),
    providerNumber: printable,
    paymentNumber: printable.optional(),
    cents: z.bigint().min(0n).max(maxCents),
    feeCents: z.bigint().min(-maxCents).max(maxCents),
    at: z.date(),
  }),
)

/** Rejects lines that cannot be a statement of that day, so that it is fetched again. */
function validLines(provider: ComparedProvider, day: string, received: readonly StatementLine[]): StatementLine[] {
  const { from, until } = dayBounds(provider, day)
  const lines = Lines.parse(received)
  for (const { kind, cents, at, providerNumber } of lines) {
    const isOfDay = at.getTime() >= from.getTime() - dayMs && at.getTime() < until.getTime() + dayMs
    if (!isOfDay || (cents === 0n && kind !== 'fee' && kind !== 'other'))
      throw new Error(`The statement of ${provider.name} of ${day} is none: see its line of ${providerNumber}`)
  }
  return lines
}

function dayBounds({ zone }: Pick<Provider, 'zone'>, day: string): { from: Date; until: Date } {
  return { from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) }
}

function totals(lines: readonly StatementLine[]) {
  const of = (kind: StatementLine['kind']) => lines.filter((line) => line.kind === kind).map(({ cents }) => cents)
  const [paid, refunded] = [of('payment'), of('refund')]
  return {
    paid_count: paid.length,
    paid_cents: String(sum(paid)),
    refunded_count: refunded.length,
    refunded_cents: String(sum(refunded)),
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n)
}

function rowOf(statementId: string, place: number, { kind, number, providerNumber, paymentNumber, cents, feeCents, at }: StatementLine) {
  return {
    statement_id: statementId,
    place,
    kind,
    number,
    provider_number: providerNumber,
    payment_number: paymentNumber ?? null,
    cents: String(cents),
    fee_cents: String(feeCents),
    at,
  }
}
