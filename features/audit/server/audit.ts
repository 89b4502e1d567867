import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ChangedSince, type DeedName, type EditView } from '#audit/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Apart, From, Hand, Staff } from '#base/server/route.ts'

/** What the log cannot know by itself, since what it speaks of lies above it. */
export type Known = {
  /** What the things that deeds were about are called now, by kind and id: `member 42`. */
  called(db: Db, abouts: readonly (string | null)[]): Promise<ReadonlyMap<string, Called>>
  /** What edits of posts changed, by the deed. */
  editsIn(db: Db, deeds: readonly { id: string; deed: string; before: unknown }[]): Promise<ReadonlyMap<string, EditView>>
}
export type Called = { zh: string; en: string }

export type Deed = {
  deed: DeedName
  /** To what, by kind and id: `topic 42`. */
  about?: string
  reason?: string
  before?: unknown
  after?: unknown
}

/** As the log says who did something, where that was no member of staff, in whose accounts no space stands. */
export function memberAsHand(memberId: string): string {
  return `member ${memberId}`
}

/** Who last did something to this, or this deed. */
export async function lastBy(db: Db, about: string, deed?: DeedName): Promise<string | null> {
  const row = await db
    .selectFrom('staff_deed')
    .select('account')
    .where('about', '=', about)
    .$if(deed !== undefined, (query) => query.where('deed', '=', deed ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.account ?? null
}

/** Nobody overwrites what somebody else saved since they read it. The row must be locked. */
export async function refuseIfChanged(db: Db, about: string, now: number, read: number): Promise<void> {
  if (now !== read) throw ChangedSince({ by: (await lastBy(db, about)) ?? 'none' })
}

const atOnce = 1_000

type By = { staffId: string | null; account: string; ip: string }

/** Notes what a member of staff did, in the transaction that does it; best as its last word, for others who note something wait until it ends. */
export async function note(tx: Db, by: Pick<Hand, 'id' | 'account'>, { ip }: Pick<From, 'ip'>, deed: Deed): Promise<void> {
  await append(tx, { staffId: by.id, account: by.account, ip }, [deed])
}

/** The same for many deeds at once. */
export async function noteAll(tx: Db, by: Pick<Hand, 'id' | 'account'>, { ip }: Pick<From, 'ip'>, deeds: readonly Deed[]): Promise<void> {
  for (let from = 0; from < deeds.length; from += atOnce)
    await append(tx, { staffId: by.id, account: by.account, ip }, deeds.slice(from, from + atOnce))
}

type Looking = { db: Db; apart: Apart; viewer: Staff; from: From }

/** Notes that somebody looks at what is not for everyday eyes: once in an hour for each thing, so that the log stays readable. */
export async function noteLook({ db, apart, viewer, from }: Looking, deed: DeedName, thing: string | undefined): Promise<undefined> {
  if (!thing) return undefined
  const before = await db
    .selectFrom('staff_deed')
    .select('id')
    .where('about', '=', thing)
    .where('deed', '=', deed)
    .where('staff_id', '=', viewer.staff.id)
    .where('at', '>', sql<Date>`now() - interval '1 hour'`)
    .limit(1)
    .executeTakeFirst()
  if (!before) await apart((tx) => note(tx, viewer.staff, from, { deed, about: thing }))
  return undefined
}

type Taking = { db: Db; viewer: Staff; from: From; input: { rows: number; asked: string } }

/** Answers a call that notes a file of a list. */
export function noteFile(deed: DeedName): (taking: Taking) => Promise<Record<string, never>> {
  return async ({ db, viewer, from, input }) => {
    await note(db, viewer.staff, from, { deed, after: input })
    return {}
  }
}

/** Notes what a member did to what another one wrote. */
export async function noteMember(tx: Db, memberId: string, { ip }: Pick<From, 'ip'>, deed: Deed): Promise<void> {
  await append(tx, { staffId: null, account: memberAsHand(memberId), ip }, [deed])
}

/** Notes what was done by the operator's tool. */
export async function noteOperator(tx: Db, deed: Deed): Promise<void> {
  await append(tx, { staffId: null, account: 'operator', ip: '' }, [deed])
}

async function append(tx: Db, by: By, deeds: readonly Deed[]): Promise<void> {
  let head = await tx.selectFrom('staff_deed_head').select(['id', 'hash']).forUpdate().executeTakeFirstOrThrow()
  const { now } = await tx.selectNoFrom(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now')).executeTakeFirstOrThrow()
  const rows = deeds.map(({ deed, about, reason, before, after }) => {
    const row = {
      id: String(BigInt(head.id) + 1n),
      at: now,
      staff_id: by.staffId,
      account: by.account,
      ip: by.ip,
      deed,
      about: about ?? null,
      reason: reason ?? null,
    }
    const hash = linkOf(head.hash, { ...row, before: before ?? null, after: after ?? null })
    head = { id: row.id, hash }
    return { ...row, before: jsonOf(before), after: jsonOf(after), hash }
  })
  await tx.insertInto('staff_deed').values(rows).execute()
  await tx.updateTable('staff_deed_head').set(head).execute()
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

type Row = {
  id: string
  at: Date
  staff_id: string | null
  account: string
  ip: string
  deed: string
  about: string | null
  reason: string | null
  before: unknown
  after: unknown
}

/** What binds a row to all rows before it. */
function linkOf(previous: Buffer, row: Row): Buffer {
  const said = [row.id, row.at.toISOString(), row.staff_id, row.account, row.ip, row.deed, row.about, row.reason]
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([...said, inOrder(row.before), inOrder(row.after)]))
    .digest()
}

// The database gives the keys of an object back in an order of its own.
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}

export type Verdict = { deeds: number; brokenAt: string | null }

/** Reads the whole log again. `brokenAt` is the first deed that is not what was noted, or the first that is missing. */
export async function verify(db: Db): Promise<Verdict> {
  const head = await db.selectFrom('staff_deed_head').selectAll().executeTakeFirstOrThrow()
  let previous: Buffer = Buffer.alloc(0)
  let last = 0n
  for (;;) {
    const rows = await db
      .selectFrom('staff_deed')
      .selectAll()
      .where('id', '>', String(last))
      .where('id', '<=', head.id)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    for (const row of rows) {
      if (BigInt(row.id) !== last + 1n || !linkOf(previous, row).equals(row.hash))
        return { deeds: Number(last), brokenAt: String(last + 1n) }
      previous = row.hash
      last++
    }
    if (rows.length < atOnce) break
  }
  const isWhole = String(last) === head.id && previous.equals(head.hash)
  return { deeds: Number(last), brokenAt: isWhole ? null : String(last + 1n) }
}

/** How often any of these deeds was done to one thing since then. */
export async function count(db: Db, thing: string, deeds: readonly DeedName[], since: Date): Promise<number> {
  const row = await db
    .selectFrom('staff_deed')
    .select((deed) => deed.fn.countAll<string>().as('count'))
    .where('about', '=', thing)
    .where('deed', 'in', deeds)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The first deed to each of these things since then. */
export function firstSince(db: Db, things: readonly string[], since: Date) {
  return db
    .selectFrom('staff_deed')
    .distinctOn('about')
    .select(['about', 'before'])
    .where('about', 'in', things)
    .where('at', '>', since)
    .orderBy('about')
    .orderBy('id')
    .execute()
}

/** What was done to any of these things, newest first. */
export function about(db: Db, things: readonly string[], atMost: number) {
  return db
    .selectFrom('staff_deed')
    .select(['at', 'account', 'deed', 'before', 'after'])
    .where('about', 'in', things)
    .orderBy('id', 'desc')
    .limit(atMost)
    .execute()
}
