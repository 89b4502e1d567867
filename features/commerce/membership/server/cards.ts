import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { renderPage } from '#base/server/long-text.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as file from '#file/server/file.ts'
import * as frame from '#frame/server/frame.ts'
import type { CardView, membershipCard, membershipCardList, PriceView, SpecificationView, Unit } from '#membership/contract.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Language = 'zh' | 'en'

/** The largest remaining number that is shown. */
const maxShownLeft = 20

/** The cards on sale with their specifications. A site without balances sells only for points. */
export async function list(db: Db): Promise<Output<typeof membershipCardList>> {
  return { cards: await cardsOnSale(db) }
}

export async function show(db: Db, cardId: string, language: Language): Promise<Output<typeof membershipCard>> {
  const [card] = await cardsOnSale(db, cardId)
  if (!card) throw Missing()
  const { body } = await db
    .selectFrom('membership_card')
    .select(sql<string>`${sql.ref(`body_${language}`)}`.as('body'))
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow()
  return { ...card, ...(await renderPage(body)) }
}

/** Invalidates the cards, and the pages' link to them, which is shown while any is on sale. */
export function invalidateCards(tx: Db): void {
  invalidate(tx, 'membership')
  frame.markChanged(tx)
}

async function cardsOnSale(db: Db, cardId?: string): Promise<CardView[]> {
  const hasCash = (await wallet.visibleCurrencies(db)).includes('cny')
  const cards = await db
    .selectFrom('membership_card')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['membership_card.id', 'membership_card.name_zh', 'membership_card.name_en', 'subtitle_zh', 'subtitle_en', 'picture'])
    .select(['bullets_zh', 'bullets_en', 'role.id as role_id', 'role.name_zh as role_zh', 'role.name_en as role_en'])
    .where('is_on_sale', '=', true)
    .where('removed_at', 'is', null)
    .$if(cardId !== undefined, (query) => query.where('membership_card.id', '=', cardId ?? ''))
    .orderBy('membership_card.sort')
    .orderBy('membership_card.id')
    .execute()
  const ids = cards.map(({ id }) => id)
  const [specifications, rights, replaced] = await Promise.all([
    specificationsOf(db, ids, hasCash),
    rightsOf(
      db,
      cards.map(({ role_id }) => role_id),
    ),
    replacedBy(db, ids),
  ])
  return cards.flatMap((card) => {
    const options = specifications.get(card.id) ?? []
    if (options.length === 0) return []
    return {
      id: card.id,
      name: { zh: card.name_zh, en: card.name_en },
      subtitle: { zh: card.subtitle_zh, en: card.subtitle_en },
      bullets: { zh: card.bullets_zh, en: card.bullets_en },
      picture: card.picture === null ? null : file.srcOf(card.picture),
      role: { id: card.role_id, name: { zh: card.role_zh, en: card.role_en } },
      gives: rights.get(card.role_id) ?? [],
      specifications: options,
      replaces: replaced.get(card.id) ?? [],
    }
  })
}

async function specificationsOf(db: Db, cardIds: readonly string[], hasCash: boolean): Promise<Map<string, SpecificationView[]>> {
  const rows = await db
    .selectFrom('membership_specification')
    .select(['id', 'card_id', 'name_zh', 'name_en', 'cents', 'points', 'list_cents', 'stock', 'sold', 'duration', 'unit'])
    .where('card_id', '=', anyOf(cardIds))
    .where('is_enabled', '=', true)
    .where('removed_at', 'is', null)
    .$if(!hasCash, (query) => query.where('cents', '=', '0'))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const groups = Map.groupBy(rows, ({ card_id }) => card_id)
  return new Map([...groups].map(([cardId, options]) => [cardId, options.map(specificationView)]))
}

type SpecificationRow = {
  id: string
  name_zh: string
  name_en: string
  cents: string
  points: string
  list_cents: string | null
  stock: string | null
  sold: string
  duration: number
  unit: string
}

function specificationView({
  id,
  name_zh,
  name_en,
  list_cents,
  stock,
  sold,
  duration,
  unit,
  ...price
}: SpecificationRow): SpecificationView {
  const left = stock === null ? null : Number(stock) - Number(sold)
  return {
    id,
    name: { zh: name_zh, en: name_en },
    price: priceView(price),
    listPrice: list_cents === null ? null : serializeAmount('cny', toMinor(list_cents)),
    left: left !== null && left <= maxShownLeft ? left : null,
    duration,
    unit: unit as Unit,
  }
}

/** Amounts as displayed; null without an amount in that currency. */
export function priceView({ cents, points }: { cents: string | bigint; points: string | bigint }): PriceView {
  const priceOf = (currency: 'cny' | 'points', amount: bigint) => (amount === 0n ? null : serializeAmount(currency, amount))
  return { cash: priceOf('cny', BigInt(cents)), points: priceOf('points', BigInt(points)) }
}

// Rights of default roles are no reason to buy. Their global rights do not extend to restricted tags.
async function rightsOf(db: Db, roleIds: readonly string[]): Promise<Map<string, CardView['gives']>> {
  const { rows } = await sql<{ roleId: string; right: string; zh: string | null; en: string | null }>`
    select role_id as "roleId", right_name as right, tag.name_zh as zh, tag.name_en as en
    from role_right as given left join tag on tag.id = tag_id left join tag as above on above.id = tag.parent_id
    where role_id = ${anyOf(roleIds)} and (tag_id is null) = (tag.id is null) and not exists (
      select from role_right as everybodys join role on role.id = everybodys.role_id and is_default
      where everybodys.right_name = given.right_name and (everybodys.tag_id is not distinct from given.tag_id
        or everybodys.tag_id is null and not tag.is_restricted and above.is_restricted is not true))
    order by right_name collate "C", tag.sort, tag.id`.execute(db)
  const groups = Map.groupBy(rows, ({ roleId }) => roleId)
  const view = ({ right, zh, en }: (typeof rows)[number]) => ({ right, tag: zh === null || en === null ? null : { zh, en } })
  return new Map([...groups].map(([roleId, options]) => [roleId, options.map(view)]))
}

async function replacedBy(db: Db, cardIds: readonly string[]): Promise<Map<string, CardView['replaces']>> {
  const rows = await db
    .selectFrom('membership_upgrade')
    .innerJoin('membership_card', 'membership_card.id', 'from_card_id')
    .select(['card_id', 'from_card_id as id', 'name_zh as zh', 'name_en as en'])
    .where('card_id', '=', anyOf(cardIds))
    .orderBy('membership_card.sort')
    .orderBy('from_card_id')
    .execute()
  const groups = Map.groupBy(rows, ({ card_id }) => card_id)
  return new Map([...groups].map(([cardId, options]) => [cardId, options.map(({ id, zh, en }) => ({ id, name: { zh, en } }))]))
}
