import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { priceView } from '#membership/server/cards.ts'
import type { membershipCardForStaff, membershipCardsForStaff } from '#membership/staff-contract.ts'
import * as role from '#role/server/role.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

export async function list(db: Db, by: StaffActor): Promise<Output<typeof membershipCardsForStaff>> {
  const hasCash = await showsCash(db)
  const [cards, roles] = await Promise.all([rowsOf(db, hasCash), rolesFor(db, by)])
  return { cards, roles, hasCash }
}

export async function view(db: Db, cardId: string): Promise<Output<typeof membershipCardForStaff>> {
  const [row, texts, specifications, replaced] = await Promise.all([
    rowsOf(db, await showsCash(db), cardId),
    db
      .selectFrom('membership_card')
      .select(['subtitle_zh', 'subtitle_en', 'bullets_zh', 'bullets_en', 'body_zh', 'body_en', 'picture'])
      .where('id', '=', cardId)
      .executeTakeFirst(),
    specificationsOf(db, cardId),
    db.selectFrom('membership_upgrade').select('from_card_id as id').where('card_id', '=', cardId).orderBy('from_card_id').execute(),
  ])
  if (!row[0] || !texts) throw Missing()
  return {
    ...row[0],
    subtitle: { zh: texts.subtitle_zh, en: texts.subtitle_en },
    bullets: { zh: texts.bullets_zh, en: texts.bullets_en },
    body: { zh: texts.body_zh, en: texts.body_en },
    picture: texts.picture === null ? null : { file: texts.picture, src: file.srcOf(texts.picture) },
    replaces: replaced.map(({ id }) => id),
    specifications,
  }
}

async function showsCash(db: Db): Promise<boolean> {
  return (await wallet.visibleCurrencies(db)).includes('cny')
}

type Row = Output<typeof membershipCardsForStaff>['cards'][number]
type Price = { cents: string; points: string }
type CardListRow = Omit<Row, 'prices'> & { cheapest: Price | null; dearest: Price | null }

// Ordered by money first, then by points, because the two have no exchange rate.
async function rowsOf(db: Db, hasCash: boolean, cardId: string | null = null): Promise<Row[]> {
  const { rows } = await sql<CardListRow>`
    select card.id, jsonb_build_object('zh', card.name_zh, 'en', card.name_en) as name,
      case when role.id is not null then jsonb_build_object('id', role.id::text, 'name', jsonb_build_object('zh', role.name_zh, 'en', role.name_en)) end as role,
      its.prices -> 0 as cheapest, its.prices -> -1 as dearest, its.options, its.unshown, its.sold, is_on_sale as "isOnSale",
      card.removed_at is not null as "isRemoved", card.sort, card.version
    from membership_card as card left join role on role.id = role_id, lateral (
      select jsonb_agg(jsonb_build_object('cents', cents::text, 'points', points::text) order by cents, points) filter (where is_live) as prices,
        (count(*) filter (where is_live))::int as options, (count(*) filter (where is_live and cents > 0 and not ${hasCash}))::int as unshown,
        ${soldOf('card_id', 'card.id')} as sold
      from (select *, is_enabled and removed_at is null as is_live from membership_specification where card_id = card.id) as specification) as its
    where ${cardId}::bigint is null or card.id = ${cardId} order by card.removed_at nulls first, card.sort, card.id`.execute(db)
  return rows.map(({ cheapest, dearest, ...row }) => ({
    ...row,
    prices: cheapest && dearest ? { from: priceView(cheapest), to: priceView(dearest) } : null,
  }))
}

// Calculated from orders: unlimited units are not counted on purchase.
function soldOf(column: 'card_id' | 'specification_id', id: string): RawBuilder<number> {
  return sql`(
    select coalesce(sum(quantity), 0)::float from membership_order as bought
    where bought.${sql.ref(column)} = ${sql.ref(id)} and not exists (select from membership_refund where order_id = bought.id))`
}

async function rolesFor(db: Db, by: StaffActor): Promise<Output<typeof membershipCardsForStaff>['roles']> {
  const rows = await db
    .selectFrom('role')
    .select(['id', 'name_zh as zh', 'name_en as en'])
    .where('is_default', '=', false)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const mine = await role.givable(
    db,
    by,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, zh, en }) => ({ id, name: { zh, en }, isMine: mine.has(id) }))
}

async function specificationsOf(db: Db, cardId: string): Promise<Output<typeof membershipCardForStaff>['specifications']> {
  const rows = await db
    .selectFrom('membership_specification')
    .select([
      'id',
      'name_zh',
      'name_en',
      'cents',
      'points',
      'list_cents',
      'stock',
      'sold',
      'duration',
      'unit',
      'is_enabled',
      'sort',
      'version',
    ])
    .select(soldOf('specification_id', 'membership_specification.id').as('units'))
    .where('card_id', '=', cardId)
    .where('removed_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(
    ({ id, name_zh: zh, name_en: en, list_cents, stock, sold, units, duration, unit, is_enabled, sort, version, ...price }) => ({
      id,
      name: { zh, en },
      price: priceView(price),
      listPrice: list_cents === null ? null : serializeAmount('cny', toMinor(list_cents)),
      duration,
      unit,
      left: stock === null ? null : Number(stock) - Number(sold),
      sold: units,
      isEnabled: is_enabled,
      sort,
      version,
    }),
  )
}
