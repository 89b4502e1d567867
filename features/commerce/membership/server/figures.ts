import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { membershipFigures } from '#membership/figures-contract.ts'
import { visiblePrice, showsCash } from '#membership/server/orders-for-staff.ts'
import * as setting from '#setting/server/setting.ts'
import { toYuan } from '#wallet/contract.ts'

export async function figures(db: Db, { days }: ParsedInput<typeof membershipFigures>): Promise<Output<typeof membershipFigures>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  const today = dayAt(Date.now(), timeZone)
  const first = addDays(today, 1 - days)
  const since = startOfDay(first, timeZone)
  const [hasCash, moves, current] = await Promise.all([showsCash(db), movesSince(db, since, timeZone), currentCounts(db)])
  const daily = Array.from({ length: days }, (_, place) => {
    const day = addDays(first, place)
    const { orders, points, cents, refunds } = sumOf(moves.filter((row) => row.day === day))
    return { day, orders, points: Number(points), yuan: hasCash ? toYuan(cents) : 0, refunds }
  })
  const total = sumOf(moves)
  const cards = current.cards.map(({ id, zh, en, active }) => {
    const sums = sumOf(moves.filter((row) => row.cardId === id))
    return { id, name: { zh, en }, active, ...viewOf(sums, hasCash) }
  })
  return {
    timeZone,
    hasCash,
    active: current.active,
    endsNextWeek: current.endsNextWeek,
    total: viewOf(total, hasCash),
    days: daily,
    cards: cards.filter(({ orders, refunds, active }) => orders > 0 || refunds > 0 || active > 0),
  }
}

type DailyMoves = {
  day: string
  cardId: string
  orders: number
  cents: string
  points: string
  refunds: number
  backCents: string
  backPoints: string
}

/** Sums by day and card: orders on the day of purchase, refunds on the day of the refund. */
async function movesSince(db: Db, since: Date, zone: string): Promise<DailyMoves[]> {
  const { rows } = await sql<DailyMoves>`
    select day, "cardId", sum(orders)::int as orders, sum(cents) as cents, sum(points) as points, sum(refunds)::int as refunds,
      sum(back_cents) as "backCents", sum(back_points) as "backPoints"
    from (
      select (at at time zone ${zone}::text)::date::text as day, card_id as "cardId", 1 as orders, cents, points, 0 as refunds, 0 as back_cents, 0 as back_points
        from membership_order where at >= ${since}
      union all
      select (back.at at time zone ${zone}::text)::date::text, card_id, 0, 0, 0, 1, back.cents, back.points
        from membership_refund as back join membership_order as bought on bought.id = order_id where back.at >= ${since}
    ) as moved group by 1, 2`.execute(db)
  return rows
}

type CurrentCounts = { active: number; endsNextWeek: number; cards: { id: string; zh: string; en: string; active: number }[] }

async function currentCounts(db: Db): Promise<CurrentCounts> {
  const { rows } = await sql<CurrentCounts>`
    with running as materialized (select card_id, member_id, role_id, lower(during) as start, upper(during) as ends_at from membership_running)
    select (select count(distinct member_id)::int from running where start <= now()) as active,
      (select count(*)::int from (
        select from running group by member_id, role_id having max(ends_at) < now() + interval '7 days') as ending) as "endsNextWeek",
      (select coalesce(json_agg(json_build_object('id', id::text, 'zh', name_zh, 'en', name_en,
          'active', (select count(distinct member_id) from running where card_id = card.id and start <= now())) order by sort, id), '[]')
        from membership_card as card) as cards`.execute(db)
  return rows[0] ?? { active: 0, endsNextWeek: 0, cards: [] }
}

type Sums = { orders: number; refunds: number; cents: bigint; points: bigint; backCents: bigint; backPoints: bigint }

function sumOf(rows: readonly DailyMoves[]): Sums {
  const all = (key: 'cents' | 'points' | 'backCents' | 'backPoints') => rows.reduce((sum, row) => sum + BigInt(row[key]), 0n)
  const count = (key: 'orders' | 'refunds') => rows.reduce((sum, row) => sum + row[key], 0)
  return {
    orders: count('orders'),
    refunds: count('refunds'),
    cents: all('cents'),
    points: all('points'),
    backCents: all('backCents'),
    backPoints: all('backPoints'),
  }
}

function viewOf({ orders, refunds, backCents, backPoints, ...paid }: Sums, hasCash: boolean) {
  return { orders, refunds, paid: visiblePrice(paid, hasCash), refunded: visiblePrice({ cents: backCents, points: backPoints }, hasCash) }
}
