import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import { BoundAlready, CodeWrong, NotBound, ProveFirst, type Kind, type phoneBinding } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'

type About = 'bind' | 'old' | 'new'
type CodeWish = contact.Typed & {
  about: About
  captchaId?: string | undefined
  captcha?: string | undefined
  captchaWork?: number | undefined
}

/** How long the proof of step one is valid. */
const provedMinutes = 15

const purposeOf = (about: About, memberId: string) => `contact ${about} ${memberId}`

export async function look(db: Db, member: Member, kind: Kind): Promise<Output<typeof phoneBinding>> {
  const [settings, row, proof] = await Promise.all([setting.all(db), bound(db, member, kind), proofOf(db, member, kind).executeTakeFirst()])
  return {
    bound: row?.shown_as ?? null,
    boundAt: row?.bound_at.toISOString() ?? null,
    isProved: proof !== undefined,
    canSend: contact.sendable(settings).includes(kind),
    countries: kind === 'phone' ? contact.countries(settings) : [],
  }
}

/** Finds the code's destination, and spends the captcha. */
export function prepareCode(kind: Kind) {
  return async (before: PrepareContext<CodeWish, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = before
    await contact.mustSend(db, kind)
    const row = await bound(db, viewer, kind)
    if (input.about === 'bind' && row) throw BoundAlready()
    if (input.about !== 'bind' && !row) throw NotBound()
    if (input.about === 'new' && !(await proofOf(db, viewer, kind).executeTakeFirst())) throw ProveFirst()
    const address = input.about === 'old' ? opened(viewer, kind, row?.address) : contact.spelled(kind, input, await setting.all(db))
    await contact.spendCaptcha(before)
    return { kind, address }
  }
}

export async function sendCode(tx: Db, { id }: Member, about: About, its: contact.Address, client: ClientInfo): Promise<void> {
  await contact.sendCode(tx, its, purposeOf(about, id), client)
}

/** The first address: an unlocked device is not enough to bind a stranger's. */
export function prepareFirst(kind: Kind) {
  return async (before: PrepareContext<contact.Typed & { code: string }, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = before
    if (await bound(db, viewer, kind)) throw BoundAlready()
    const its = { kind, address: contact.spelled(kind, input, await setting.all(db)) }
    await secondFactor.requireRecentProof(db, viewer)
    await mustKnowCode(before, 'bind', its, input.code)
    return its
  }
}

export async function bindFirst(tx: Db, member: Member, its: contact.Address): Promise<void> {
  await lock(tx, member)
  if (await bound(tx, member, its.kind)) throw BoundAlready()
  const before = await contact.addressesOf(tx, member.id)
  await contact.endHalfDone(tx, member.id)
  await contact.bind(tx, member.id, its)
  await contact.noteChange(tx, member.id, its.kind, before)
}

/** Step one: the code that was sent to the bound address, or a recent re-authentication. */
export function prepareProof(kind: Kind) {
  return async (before: PrepareContext<{ code?: string | undefined }, Member>): Promise<void> => {
    const { db, viewer, input } = before
    const row = await bound(db, viewer, kind)
    if (!row) throw NotBound()
    if (input.code === undefined) await secondFactor.requireRecentProof(db, viewer)
    else await mustKnowCode(before, 'old', { kind, address: opened(viewer, kind, row.address) }, input.code)
  }
}

export async function keepProof(tx: Db, { sessionId }: Member, kind: Kind): Promise<void> {
  const expires_at = sql<Date>`now() + ${provedMinutes} * interval '1 minute'`
  await tx
    .insertInto('contact_proof')
    .values({ session_id: sessionId, kind, expires_at })
    .onConflict((conflict) => conflict.columns(['session_id', 'kind']).doUpdateSet({ expires_at }))
    .execute()
}

/** Step two: the code that was sent to the other address. */
export function prepareChange(kind: Kind) {
  return async (before: PrepareContext<contact.Typed & { code: string }, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = before
    if (!(await bound(db, viewer, kind))) throw NotBound()
    if (!(await proofOf(db, viewer, kind).executeTakeFirst())) throw ProveFirst()
    const its = { kind, address: contact.spelled(kind, input, await setting.all(db)) }
    await mustKnowCode(before, 'new', its, input.code)
    return its
  }
}

/** The proof of step one counts once. The earlier addresses are notified, last of all. */
export async function change(tx: Db, member: Member, its: contact.Address): Promise<void> {
  await lock(tx, member)
  if (!(await bound(tx, member, its.kind))) throw NotBound()
  const shown = await tx
    .deleteFrom('contact_proof')
    .where('session_id', '=', member.sessionId)
    .where('kind', '=', its.kind)
    .where(sql<boolean>`expires_at > now()`)
    .returning('session_id')
    .executeTakeFirst()
  if (!shown) throw ProveFirst()
  const before = await contact.addressesOf(tx, member.id)
  await contact.endHalfDone(tx, member.id)
  await contact.bind(tx, member.id, its)
  if (before.some(({ kind, address }) => kind === its.kind && address === its.address)) return
  await contact.noteChange(tx, member.id, its.kind, before)
}

async function mustKnowCode<Input>(before: PrepareContext<Input, Member>, about: About, its: contact.Address, code: string): Promise<void> {
  await contact.mustKnowCode(before, its, purposeOf(about, before.viewer.id), code)
}

// Reads the primary, where step one was written.
function bound(db: Db, { id }: Member, kind: Kind) {
  return primary(db)
    .selectFrom('contact')
    .select(['shown_as', 'bound_at', 'address'])
    .where('member_id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

function proofOf(db: Db, { sessionId }: Member, kind: Kind) {
  return primary(db)
    .selectFrom('contact_proof')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', kind)
    .where(sql<boolean>`expires_at > now()`)
}

// With a lost sealing key, no code can be sent there, and none is right.
function opened({ id }: Member, kind: Kind, box: Buffer | null | undefined): string {
  if (!box) throw CodeWrong()
  return contact.opened(kind, id, box)
}

async function lock(tx: Db, { id }: Member): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}
