import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Member } from '#base/server/http/route.ts'
import type { membershipCardOrderList, OrderView, Unit } from '#membership/contract.ts'
import { priceView } from '#membership/server/cards.ts'
import * as user from '#user/server/user.ts'

const perPage = 20
const rolesShown = 100

type Names = { zh: string; en: string }

export type OrderRow = {
  id: string
  number: string
  at: Date
  buyerId: string
  holderId: string
  note: string | null
  names: { role: Names; card: Names; specification: Names }
  quantity: number
  duration: number
  unit: Unit
  priceCents: string
  pricePoints: string
  cents: string
  points: string
  startsAt: Date
  endsAt: Date
  refundedAt: Date | null
  refundCents: string | null
  refundPoints: string | null
  isUpgrade: boolean
}

/** Orders with their refunds, by a condition on `bought` and an order. */
export async function ordersWhere(db: Db, condition: RawBuilder<unknown>): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select bought.id, number, bought.at, buyer_id as "buyerId", member_id as "holderId", note, names, quantity, duration, unit,
      price_cents as "priceCents", price_points as "pricePoints", bought.cents, bought.points, lower(during) as "startsAt", upper(during) as "endsAt",
      back.at as "refundedAt", back.cents as "refundCents", back.points as "refundPoints", back.upgrade_id is not null as "isUpgrade"
    from membership_order as bought left join membership_refund as back on back.order_id = bought.id where ${condition}`.execute(db)
  return rows
}

/** The orders that a member paid for or was given, newest first, and the times of their roles. */
export async function listOwn(
  db: Db,
  member: Member,
  { page }: ParsedInput<typeof membershipCardOrderList>,
): Promise<Output<typeof membershipCardOrderList>> {
  // A union uses both indexes; an `or` of the columns would read neither in order.
  const ownIds = sql`(select id from membership_order where buyer_id = ${member.id} union select id from membership_order where member_id = ${member.id})`
  const { rows: counts } = await sql<{ total: number }>`select count(*)::int as total from ${ownIds} as mine`.execute(db)
  const pages = pagePosition(counts[0]?.total ?? 0, page, perPage)
  const [rows, roles] = await Promise.all([
    ordersWhere(db, sql`bought.id in ${ownIds} order by bought.id desc limit ${perPage} offset ${(pages.page - 1) * perPage}`),
    pages.page === 1 ? rolesOf(db, member.id) : [],
  ])
  const people = await user.authors(
    db,
    rows.flatMap(({ buyerId, holderId }) => (buyerId === holderId ? [] : [buyerId, holderId])),
  )
  return { orders: rows.map((row) => orderView(row.buyerId === member.id ? row : withoutPrice(row), people)), roles, ...pages }
}

// The receiver of a gift does not see its price.
function withoutPrice(row: OrderRow): OrderRow {
  return { ...row, priceCents: '0', pricePoints: '0', cents: '0', points: '0', refundCents: null, refundPoints: null }
}

/** An order for its buyer or holder; participants who left have no name. */
export function orderView(row: OrderRow, people: Awaited<ReturnType<typeof user.authors>>): OrderView {
  const { id, number, at, buyerId, holderId, note, names, quantity, duration, unit, cents, points, startsAt, endsAt } = row
  return {
    id,
    number,
    at: at.toISOString(),
    ...names,
    quantity,
    duration,
    unit,
    price: priceView({ cents: row.priceCents, points: row.pricePoints }),
    paid: priceView({ cents, points }),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    refund: row.refundedAt && {
      ...priceView({ cents: row.refundCents ?? '0', points: row.refundPoints ?? '0' }),
      at: row.refundedAt.toISOString(),
      isUpgrade: row.isUpgrade,
    },
    gift: buyerId === holderId ? null : { from: people.get(buyerId) ?? null, to: people.get(holderId) ?? null, note },
  }
}

export async function rolesOf(db: Db, memberId: string): Promise<Output<typeof membershipCardOrderList>['roles']> {
  const rows = await db
    .selectFrom('role_holding')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['name_zh as zh', 'name_en as en', sql<Date>`lower(during)`.as('from')])
    .select(sql<Date | null>`nullif(upper(during), 'infinity')`.as('until'))
    .select(sql<boolean>`during @> clock_timestamp()`.as('isNow'))
    .where('member_id', '=', memberId)
    .orderBy(sql`lower(during)`, 'desc')
    .limit(rolesShown)
    .execute()
  return rows.map(({ zh, en, from, until, isNow }) => ({
    name: { zh, en },
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    isNow,
  }))
}
