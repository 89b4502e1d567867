import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal, refusal, type RefusalValues } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isMember, type ClientInfo, type Upload, type Viewer } from '#base/server/http/route.ts'

export const KeyMissing = refusal('base.keyMissing', { status: 400 })
export const KeyReused = refusal('base.keyReused')
export const AlreadyDone = refusal('base.alreadyDone', { status: 409 })
export const StillRunning = refusal('base.underWay', { status: 409 })

/** A request to run once: its caller, key, route and the hash of its input. */
export type IdempotentRequest = { owner: string; key: string; route: string; hash: () => Promise<Buffer> }

const keys = new WeakMap<Db, string>()

/** Binds the idempotency key of a request to its transaction. */
export function bindKey(tx: Db, { key }: IdempotentRequest): void {
  keys.set(tx, key)
}

/** The idempotency key bound to a transaction, if its request had one. */
export function boundKey(tx: Db): string | undefined {
  return keys.get(tx)
}

/** A process at work renews its claim. Afterwards that of a dead process may be taken over. */
const leaseSeconds = 60
/** So often that one failure does not lose the claim. */
export const renewalMs = 20_000
const maxRetrySeconds = 5

/** The stored answer to this request, kept for three days. Null if there is none, or if the lease of the first attempt has expired. */
export async function storedAnswer(db: Db, request: IdempotentRequest): Promise<string | null> {
  const first = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'state', 'answer', 'refusal'])
    .select(sql<number>`ceil(extract(epoch from leased_until - now()))::int`.as('seconds'))
    .where('asker', '=', request.owner)
    .where('key', '=', request.key)
    .executeTakeFirst()
  if (!first) return null
  if (!first.body_hash.equals(await request.hash())) throw KeyReused()
  if (first.refusal) throw refusalFrom(first.refusal as StoredRefusal)
  if (first.state === 'begun') {
    if (first.seconds < 1) return null
    throw StillRunning({ seconds: Math.min(first.seconds, maxRetrySeconds) })
  }
  if (first.answer === null) throw AlreadyDone()
  return first.answer
}

/** Claims the key before the work. Returns the claim, or null if another request has or had the key. */
export async function claimKey(db: Db, { owner, key, route, hash }: IdempotentRequest): Promise<string | null> {
  const { rows } = await sql<{ claim: string | null }>`
    insert into idempotency_key (asker, key, route, body_hash, state, claim, leased_until)
    values (${owner}, ${key}, ${route}, ${await hash()}, 'begun', gen_random_uuid(), now() + ${leaseSeconds} * interval '1 second')
    on conflict (asker, key) do update set claim = excluded.claim, leased_until = excluded.leased_until
    where idempotency_key.leased_until < now() and idempotency_key.body_hash = excluded.body_hash
    returning claim`.execute(db)
  return rows[0]?.claim ?? null
}

/** Renews the claim of work that is still running. */
export async function renewClaim(db: Db, { owner, key }: IdempotentRequest, claim: string): Promise<void> {
  await sql`
    update idempotency_key set leased_until = now() + ${leaseSeconds} * interval '1 second'
    where asker = ${owner} and key = ${key} and claim = ${claim}`.execute(db)
}

/** Locks the claim until the transaction ends, so that no other process can take over meanwhile. */
export async function lockClaim(tx: Db, request: IdempotentRequest, claim: string): Promise<void> {
  const existing = await tx
    .selectFrom('idempotency_key')
    .select('claim')
    .where('asker', '=', request.owner)
    .where('key', '=', request.key)
    .where('claim', '=', claim)
    .forUpdate()
    .executeTakeFirst()
  if (!existing) throw StillRunning({ seconds: 1 })
}

/** Stores the answer as the last statement of the transaction that holds the claim. A secret answer is passed as null. */
export async function storeClaimedAnswer(tx: Db, { owner, key }: IdempotentRequest, answer: string | null): Promise<void> {
  await sql`/* with the commit */
    update idempotency_key set state = 'done', answer = ${answer}, claim = null, leased_until = null
    where asker = ${owner} and key = ${key}`.execute(tx)
}

/** Stores the answer without a claim: of two concurrent runs the later one fails at this row and rolls back. */
export async function storeAnswer(tx: Db, { owner, key, route, hash }: IdempotentRequest, answer: string | null): Promise<void> {
  await sql`/* with the commit */
    insert into idempotency_key (asker, key, route, body_hash, answer)
    values (${owner}, ${key}, ${route}, ${await hash()}, ${answer})`.execute(tx)
}

/** Stores the refusal for repeated requests, unless another process has taken the claim over. */
export async function storeClaimedRefusal(db: Db, { owner, key }: IdempotentRequest, claim: string, refused: Refusal): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ state: 'refused', refusal: JSON.stringify(toStored(refused)), claim: null, leased_until: null })
    .where('asker', '=', owner)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

/** The same without a claim. Waits for another server that runs the request at this moment; its answer stands. */
export async function storeRefusal(db: Db, { owner, key, route, hash }: IdempotentRequest, refused: Refusal): Promise<void> {
  await sql`
    insert into idempotency_key (asker, key, route, body_hash, state, refusal)
    values (${owner}, ${key}, ${route}, ${await hash()}, 'refused', ${JSON.stringify(toStored(refused))}) on conflict do nothing`.execute(
    db,
  )
}

/** Releases the claim after nothing was done, so that others may try. */
export async function releaseClaim(db: Db, { owner, key }: IdempotentRequest, claim: string): Promise<void> {
  await db.deleteFrom('idempotency_key').where('asker', '=', owner).where('key', '=', key).where('claim', '=', claim).execute()
}

/**
 * The owner of an idempotency key. A visitor who lost the cookie is still the same if the key is a random number that nobody guesses; any
 * other key of a visitor is bound to the CSRF cookie.
 */
export function keyOwner(viewer: Viewer, { csrf }: ClientInfo, key: string): string {
  if (viewer.staff) return `staff ${viewer.staff.id}`
  if (isMember(viewer)) return `member ${viewer.id}`
  return isRandom(key) ? 'visitor' : `visitor ${csrf}`
}

// 128 bits as hexadecimal digits, with or without the dashes of a UUID. A counter or a typed key has few different digits.
function isRandom(key: string): boolean {
  const digits = key.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32,}$/.test(digits) && new Set(digits).size >= 8
}

/** The same hash for the same input, as a form or as JSON, in any order of fields. */
export function hashOf(route: string, { input, upload }: { input: unknown; upload: Upload | null }): Buffer {
  const hash = createHash('sha256').update(`${route}\n${JSON.stringify(input, withSortedKeys)}`)
  if (upload) hash.update(`\n${JSON.stringify([upload.name, upload.type])}\n`).update(upload.bytes)
  return hash.digest()
}

function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

type StoredRefusal = { code: string; status: number; field: string; values: RefusalValues; others: StoredRefusal[] }

function toStored({ kind: { code, status, field }, values, others }: Refusal): StoredRefusal {
  return { code, status, field, values, others: others.map(toStored) }
}

function refusalFrom({ code, status, field, values, others }: StoredRefusal): Refusal {
  return new Refusal(refusal(code, { status, field }), values, others.map(refusalFrom))
}
