import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import { BoundAlready, CodeWrong, NotBound, ProveFirst, type Kind, type phoneBinding } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'

type CodeTarget = 'bind' | 'old' | 'new'
type CodeRequest = contact.TypedAddress & {
  about: CodeTarget
  captchaId?: string | undefined
  captcha?: string | undefined
  captchaWork?: number | undefined
}

/** How long the proof of step one is valid. */
const proofMinutes = 15

const purposeOf = (about: CodeTarget, memberId: string) => `contact ${about} ${memberId}`

export async function show(db: Db, member: Member, kind: Kind): Promise<Output<typeof phoneBinding>> {
  const [settings, row, proof] = await Promise.all([
    setting.all(db),
    boundAddress(db, member, kind),
    proofOf(db, member, kind).executeTakeFirst(),
  ])
  return {
    bound: row?.shown_as ?? null,
    boundAt: row?.bound_at.toISOString() ?? null,
    isProved: proof !== undefined,
    canSend: contact.sendableKinds(settings).includes(kind),
    countries: kind === 'phone' ? contact.countries(settings) : [],
  }
}

/** Finds the code's destination, and spends the captcha. */
export function prepareCode(kind: Kind) {
  return async (context: PrepareContext<CodeRequest, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = context
    await contact.assertSendable(db, kind)
    const row = await boundAddress(db, viewer, kind)
    if (input.about === 'bind' && row) throw BoundAlready()
    if (input.about !== 'bind' && !row) throw NotBound()
    if (input.about === 'new' && !(await proofOf(db, viewer, kind).executeTakeFirst())) throw ProveFirst()
    const address = input.about === 'old' ? unsealed(viewer, kind, row?.address) : contact.normalize(kind, input, await setting.all(db))
    await contact.spendCaptcha(context)
    return { kind, address }
  }
}

export async function sendCode(tx: Db, { id }: Member, about: CodeTarget, newAddress: contact.Address, client: ClientInfo): Promise<void> {
  await contact.sendCode(tx, newAddress, purposeOf(about, id), client)
}

/** The first address: an unlocked device is not enough to bind a stranger's. */
export function prepareFirst(kind: Kind) {
  return async (context: PrepareContext<contact.TypedAddress & { code: string }, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = context
    if (await boundAddress(db, viewer, kind)) throw BoundAlready()
    const newAddress = { kind, address: contact.normalize(kind, input, await setting.all(db)) }
    await secondFactor.requireRecentProof(db, viewer)
    await verifyCode(context, 'bind', newAddress, input.code)
    return newAddress
  }
}

export async function bindFirst(tx: Db, member: Member, newAddress: contact.Address): Promise<void> {
  await lock(tx, member)
  if (await boundAddress(tx, member, newAddress.kind)) throw BoundAlready()
  const before = await contact.addressesOf(tx, member.id)
  await contact.revokePendingCredentials(tx, member.id)
  await contact.bind(tx, member.id, newAddress)
  await contact.recordChange(tx, member.id, newAddress.kind, before)
}

/** Step one: the code that was sent to the bound address, or a recent re-authentication. */
export function prepareProof(kind: Kind) {
  return async (context: PrepareContext<{ code?: string | undefined }, Member>): Promise<void> => {
    const { db, viewer, input } = context
    const row = await boundAddress(db, viewer, kind)
    if (!row) throw NotBound()
    if (input.code === undefined) await secondFactor.requireRecentProof(db, viewer)
    else await verifyCode(context, 'old', { kind, address: unsealed(viewer, kind, row.address) }, input.code)
  }
}

export async function storeProof(tx: Db, { sessionId }: Member, kind: Kind): Promise<void> {
  const expires_at = sql<Date>`now() + ${proofMinutes} * interval '1 minute'`
  await tx
    .insertInto('contact_proof')
    .values({ session_id: sessionId, kind, expires_at })
    .onConflict((conflict) => conflict.columns(['session_id', 'kind']).doUpdateSet({ expires_at }))
    .execute()
}

/** Step two: the code that was sent to the other address. */
export function prepareChange(kind: Kind) {
  return async (context: PrepareContext<contact.TypedAddress & { code: string }, Member>): Promise<contact.Address> => {
    const { db, viewer, input } = context
    if (!(await boundAddress(db, viewer, kind))) throw NotBound()
    if (!(await proofOf(db, viewer, kind).executeTakeFirst())) throw ProveFirst()
    const newAddress = { kind, address: contact.normalize(kind, input, await setting.all(db)) }
    await verifyCode(context, 'new', newAddress, input.code)
    return newAddress
  }
}

/** The proof of step one counts once. The earlier addresses are notified, last of all. */
export async function change(tx: Db, member: Member, newAddress: contact.Address): Promise<void> {
  await lock(tx, member)
  if (!(await boundAddress(tx, member, newAddress.kind))) throw NotBound()
  const proof = await tx
    .deleteFrom('contact_proof')
    .where('session_id', '=', member.sessionId)
    .where('kind', '=', newAddress.kind)
    .where(sql<boolean>`expires_at > now()`)
    .returning('session_id')
    .executeTakeFirst()
  if (!proof) throw ProveFirst()
  const before = await contact.addressesOf(tx, member.id)
  await contact.revokePendingCredentials(tx, member.id)
  await contact.bind(tx, member.id, newAddress)
  if (before.some(({ kind, address }) => kind === newAddress.kind && address === newAddress.address)) return
  await contact.recordChange(tx, member.id, newAddress.kind, before)
}

async function verifyCode<Input>(
  context: PrepareContext<Input, Member>,
  about: CodeTarget,
  newAddress: contact.Address,
  code: string,
): Promise<void> {
  await contact.verifyCode(context, newAddress, purposeOf(about, context.viewer.id), code)
}

// Reads the primary, where step one was written.
function boundAddress(db: Db, { id }: Member, kind: Kind) {
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
function unsealed({ id }: Member, kind: Kind, box: Buffer | null | undefined): string {
  if (!box) throw CodeWrong()
  return contact.unsealAddress(kind, id, box)
}

async function lock(tx: Db, { id }: Member): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}
