import { sql, type RawBuilder } from 'kysely'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Db } from '#base/server/database/database.ts'
import { normalizeCode } from '#membership/coupon-code.ts'
import type { couponCodeList, couponForStaff, couponList, CouponRow } from '#membership/coupon-contract.ts'
import { priceView } from '#membership/server/cards.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'

const state = sql<
  CouponRow['state']
>`case when not is_enabled then 'off' when ends_at <= now() then 'ended' when starts_at > now() then 'coming'
  else 'running' end`

export async function list(db: Db, input: ParsedInput<typeof couponList>): Promise<Answer<typeof couponList>> {
  const { keyword, state: wantedState } = input
  const query = coupons(db)
    .$if(wantedState !== undefined, (all) => all.where(state, '=', wantedState ?? 'off'))
    .$if(Boolean(keyword), (all) => all.where(matchesKeyword(keyword ?? '')))
  const page = await paged(db, query, {
    ...input,
    keys: { made: { by: sql`membership_coupon.id`, as: 'bigint' } },
    id: sql`membership_coupon.id`,
  })
  return { ...page, rows: page.rows.map(viewOf) }
}

export async function view(db: Db, couponId: string): Promise<Answer<typeof couponForStaff>> {
  const row = await coupons(db).where('membership_coupon.id', '=', couponId).executeTakeFirst()
  if (!row) throw Missing()
  return viewOf(row)
}

export async function codes(db: Db, input: ParsedInput<typeof couponCodeList>): Promise<Answer<typeof couponCodeList>> {
  const { couponId, used } = input
  const query = db
    .selectFrom('membership_coupon_code')
    .select(['id', 'code', 'uses', 'max_uses as maxUses'])
    .where('coupon_id', '=', couponId)
    .$if(used !== undefined, (all) =>
      all.where(sql<boolean>`case ${used}::text when 'no' then uses = 0 when 'yes' then uses > 0 else uses >= max_uses end`),
    )
  return paged(db, query, { ...input, keys: { made: { by: sql`id`, as: 'bigint' } }, id: sql`id` })
}

function matchesKeyword(keyword: string): RawBuilder<boolean> {
  return sql`(strpos(lower(membership_coupon.name), lower(${keyword})) > 0 or exists (
    select from membership_coupon_code where coupon_id = membership_coupon.id and code = ${normalizeCode(keyword)}))`
}

type Usage = { codes: number; uses: number; maxUses: number | null }

function coupons(db: Db) {
  const used = sql<Usage>`(
    select jsonb_build_object('codes', count(*), 'uses', coalesce(sum(uses), 0),
      'maxUses', case when count(*) filter (where max_uses is null) = 0 then coalesce(sum(max_uses), 0) end)
    from membership_coupon_code where coupon_id = membership_coupon.id)`
  const cards = sql<CouponRow['cards']>`coalesce((
    select jsonb_agg(jsonb_build_object('id', card.id::text, 'name', jsonb_build_object('zh', card.name_zh, 'en', card.name_en)) order by card.sort, card.id)
    from membership_coupon_card join membership_card as card on card.id = card_id where coupon_id = membership_coupon.id), '[]')`
  return db
    .selectFrom('membership_coupon')
    .select(['membership_coupon.id', 'name', 'percent', 'cents', 'points', 'min_cents', 'uses_per_member as usesPerMember'])
    .select(['starts_at as startsAt', 'ends_at as endsAt', 'is_enabled as isEnabled', 'version'])
    .select([state.as('state'), used.as('used'), cards.as('cards')])
}

type Row = Awaited<ReturnType<ReturnType<typeof coupons>['executeTakeFirstOrThrow']>>

function viewOf({ min_cents, cents, points, used, ...row }: Row): Answer<typeof couponForStaff> {
  return {
    ...row,
    ...used,
    off: priceView({ cents: cents ?? '0', points: points ?? '0' }),
    minPrice: min_cents === '0' ? null : serializeAmount('cny', toMinor(min_cents)),
  }
}
