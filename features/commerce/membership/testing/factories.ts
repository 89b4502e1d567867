import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Person } from '#base/testing/forum.ts'
import { buyMembership, type Unit } from '#membership/contract.ts'
import { invalidateCards } from '#membership/server/cards.ts'

type Specification = { cents?: number; points?: number; duration?: number; unit?: Unit; stock?: number }

/** Inserts a card on sale. Returns its id, and those of its specifications in their order. */
export async function aCard(
  database: Database,
  roleId: string,
  specifications: readonly Specification[],
  { name = 'Silver', replaces = [] }: { name?: string; replaces?: readonly string[] } = {},
): Promise<{ cardId: string; ids: string[] }> {
  return transact(database, async (tx) => {
    const { id: cardId } = await tx
      .insertInto('membership_card')
      .values({ role_id: roleId, name_zh: name, name_en: name, is_on_sale: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ids: string[] = []
    for (const [sort, { cents = 0, points = 0, duration = 1, unit = 'month', stock = null }] of specifications.entries()) {
      const its = { cents: String(cents), points: String(points), duration, unit, stock: stock === null ? null : String(stock) }
      const row = { card_id: cardId, name_zh: `${duration} ${unit}`, name_en: `${duration} ${unit}`, sort, ...its }
      ids.push((await tx.insertInto('membership_specification').values(row).returning('id').executeTakeFirstOrThrow()).id)
    }
    for (const from_card_id of replaces) await tx.insertInto('membership_upgrade').values({ card_id: cardId, from_card_id }).execute()
    invalidateCards(tx)
    return { cardId, ids }
  })
}

export async function aCoupon(
  { app }: Database,
  code: string,
  percent: number,
  terms: { maxUses?: number; usesPerMember?: number } = {},
): Promise<void> {
  const { maxUses = null, usesPerMember = null } = terms
  await sql`
    with coupon as (
      insert into membership_coupon (name, percent, uses_per_member) values (${code}, ${percent}, ${usesPerMember}) returning id)
    insert into membership_coupon_code (coupon_id, code, max_uses) select id, ${code}, ${maxUses} from coupon`.execute(app)
}

let keys = 0

/** Buys as the form does, with a new idempotency key. */
export function buys(who: Person, specificationId: string, its: { cash?: string; points?: string } & Record<string, unknown> = {}) {
  const input = { specificationId, cash: '0', points: '0', ...its }
  return who.tryCall(buyMembership, input, { 'idempotency-key': `a-key-for-purchase-${++keys}` })
}
