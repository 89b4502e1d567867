import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import { anyOf, isDuplicate, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { CodeTaken, CodeUsedMore, CouponEndsFirst } from '#membership/contract.ts'
import {
  codeLength,
  type addCoupon,
  type addCouponCode,
  type editCoupon,
  type enableCoupon,
  type limitCouponCode,
  type makeCouponCodes,
} from '#membership/coupon-contract.ts'
import { auditDiff, auditRow } from '#membership/server/audit-diff.ts'
import * as role from '#role/server/role.ts'

type Form = Omit<ParsedInput<typeof editCoupon>, 'couponId' | 'version'>

const about = (couponId: string) => `coupon ${couponId}`

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { code, maxUses, ...form }: ParsedInput<typeof addCoupon>,
): Promise<{ couponId: string }> {
  const row = await rowOf(tx, form, null)
  const { id } = await tx.insertInto('membership_coupon').values(row).returning('id').executeTakeFirstOrThrow()
  await setCards(tx, id, form.cardIds)
  await requireGivableRoles(tx, by, id)
  if (code !== undefined) await insertCode(tx, id, code, maxUses)
  await audit.note(tx, by, client, {
    action: 'coupon.add',
    about: about(id),
    after: auditRow({ ...row, cards: form.cardIds, code, maxUses }),
  })
  return { couponId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { couponId, version, ...form }: ParsedInput<typeof editCoupon>,
): Promise<void> {
  const { version: now, ...before } = await lock(tx, couponId)
  await audit.refuseIfChanged(tx, about(couponId), now, version)
  await requireGivableRoles(tx, by, couponId)
  const row = await rowOf(tx, form, before.starts_at)
  const cards = await cardsOf(tx, couponId)
  await tx
    .updateTable('membership_coupon')
    .set({ ...row, version: now + 1 })
    .where('id', '=', couponId)
    .execute()
  await setCards(tx, couponId, form.cardIds)
  await requireGivableRoles(tx, by, couponId)
  const change = auditDiff({ ...before, cards }, { ...row, cards: form.cardIds.toSorted(byNumber) })
  await audit.note(tx, by, client, { action: 'coupon.edit', about: about(couponId), ...change })
}

export async function enable(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { couponId, isEnabled }: ParsedInput<typeof enableCoupon>,
): Promise<void> {
  const { version, is_enabled } = await lock(tx, couponId)
  if (isEnabled) await requireGivableRoles(tx, by, couponId)
  await tx
    .updateTable('membership_coupon')
    .set({ is_enabled: isEnabled, version: version + 1 })
    .where('id', '=', couponId)
    .execute()
  await audit.note(tx, by, client, {
    action: 'coupon.edit',
    about: about(couponId),
    before: { is_enabled },
    after: { is_enabled: isEnabled },
  })
}

export async function addCode(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { couponId, code, maxUses }: ParsedInput<typeof addCouponCode>,
): Promise<void> {
  await lock(tx, couponId)
  await requireGivableRoles(tx, by, couponId)
  await insertCode(tx, couponId, code, maxUses)
  await audit.note(tx, by, client, { action: 'coupon.addCodes', about: about(couponId), after: { code, maxUses } })
}

/** Generates random codes, and retries duplicates until the number is reached. */
export async function makeCodes(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  input: ParsedInput<typeof makeCouponCodes>,
): Promise<{ count: number }> {
  const { couponId, count, prefix, maxUses } = input
  await lock(tx, couponId)
  await requireGivableRoles(tx, by, couponId)
  for (let insertedCount = 0; insertedCount < count;) {
    const codes = Array.from({ length: count - insertedCount }, () => prefix + randomCode())
    const { rows } = await sql<{ id: string }>`
      insert into membership_coupon_code (coupon_id, code, max_uses) select ${couponId}::bigint, code, ${maxUses}::int from unnest(${codes}::text[]) as code
      on conflict do nothing returning id`.execute(tx)
    insertedCount += rows.length
  }
  await audit.note(tx, by, client, { action: 'coupon.addCodes', about: about(couponId), after: { count, prefix, maxUses } })
  return { count }
}

export async function limitCode(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { codeId, maxUses }: ParsedInput<typeof limitCouponCode>,
): Promise<void> {
  const code = await tx
    .selectFrom('membership_coupon_code')
    .select(['coupon_id', 'code', 'uses', 'max_uses'])
    .where('id', '=', codeId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!code) throw Missing()
  await requireGivableRoles(tx, by, code.coupon_id)
  if (maxUses !== undefined && maxUses < code.uses) throw CodeUsedMore({ uses: code.uses })
  await tx
    .updateTable('membership_coupon_code')
    .set({ max_uses: maxUses ?? null })
    .where('id', '=', codeId)
    .execute()
  const [before, after] = [
    { code: code.code, maxUses: code.max_uses },
    { code: code.code, maxUses: maxUses ?? null },
  ]
  await audit.note(tx, by, client, { action: 'coupon.edit', about: about(code.coupon_id), before, after })
}

// Without letters that resemble each other or a digit.
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function randomCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}

async function lock(tx: Db, couponId: string) {
  const row = await tx
    .selectFrom('membership_coupon')
    .select(['name', 'percent', 'cents', 'points', 'min_cents', 'uses_per_member', 'starts_at', 'ends_at', 'is_enabled', 'version'])
    .where('id', '=', couponId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

async function rowOf(tx: Db, form: Form, started: Date | null) {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(tx)
  const startsAt = form.startsAt === undefined ? (started ?? rows[0]?.now ?? new Date()) : new Date(form.startsAt)
  const endsAt = form.endsAt === undefined ? null : new Date(form.endsAt)
  if (endsAt !== null && endsAt <= startsAt) throw CouponEndsFirst()
  const amount = (minor: bigint | undefined) => (minor === undefined ? null : String(minor))
  return {
    name: form.name,
    percent: form.percent ?? null,
    cents: amount(form.cash),
    points: amount(form.points),
    min_cents: String(form.minPrice ?? 0),
    uses_per_member: form.usesPerMember ?? null,
    starts_at: startsAt,
    ends_at: endsAt,
    is_enabled: form.isEnabled,
  }
}

/** Refuses staff who may not give the roles of the coupon's cards. */
async function requireGivableRoles(tx: Db, by: StaffActor, couponId: string): Promise<void> {
  const { rows } = await sql<{ roleId: string }>`
    select distinct role_id as "roleId" from membership_card as card where removed_at is null and (
      not exists (select from membership_coupon_card where coupon_id = ${couponId})
      or exists (select from membership_coupon_card where coupon_id = ${couponId} and card_id = card.id))`.execute(tx)
  await role.assertRolesGivable(
    tx,
    by,
    rows.map(({ roleId }) => roleId),
  )
}

async function cardsOf(tx: Db, couponId: string): Promise<string[]> {
  const rows = await tx.selectFrom('membership_coupon_card').select('card_id as id').where('coupon_id', '=', couponId).execute()
  return rows.map(({ id }) => id).toSorted(byNumber)
}

async function setCards(tx: Db, couponId: string, cardIds: readonly string[]): Promise<void> {
  const ids = [...new Set(cardIds)]
  const cards = await tx.selectFrom('membership_card').select('id').where('id', '=', anyOf(ids)).execute()
  if (cards.length < ids.length) throw Missing()
  await tx.deleteFrom('membership_coupon_card').where('coupon_id', '=', couponId).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('membership_coupon_card')
    .values(ids.map((card_id) => ({ coupon_id: couponId, card_id })))
    .execute()
}

function byNumber(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other))
}

async function insertCode(tx: Db, coupon_id: string, code: string, maxUses: number | undefined): Promise<void> {
  await tx
    .insertInto('membership_coupon_code')
    .values({ coupon_id, code, max_uses: maxUses ?? null })
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? CodeTaken() : error
    })
}
