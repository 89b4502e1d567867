import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { invalidateCards } from '#membership/server/cards.ts'
import { auditDiff, auditRow } from '#membership/server/audit-diff.ts'
import { StockChanged, StockSold, StockTooLarge } from '#membership/contract.ts'
import { maxStock, type addSpecification, type changeStock, type editSpecification } from '#membership/staff-contract.ts'
import * as role from '#role/server/role.ts'

type Form = Omit<ParsedInput<typeof editSpecification>, 'specificationId' | 'version'>

export async function add(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  input: ParsedInput<typeof addSpecification>,
): Promise<{ specificationId: string }> {
  const { cardId, stock, ...form } = input
  await lockCard(tx, by, cardId)
  const { id } = await tx
    .insertInto('membership_specification')
    .values({ ...rowOf(form), card_id: cardId, stock: stock === undefined ? null : String(stock) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(tx, by, client, { cardId, names: [form.en], after: auditRow({ ...rowOf(form), stock: stock ?? null }) })
  return { specificationId: id }
}

export async function edit(tx: Db, by: Staff, client: ClientInfo, input: ParsedInput<typeof editSpecification>): Promise<void> {
  const { specificationId: id, version, ...form } = input
  const { card_id: cardId, version: now, stock: _, sold: __, ...before } = await lock(tx, by, id)
  await audit.refuseIfChanged(tx, aboutCard(cardId), now, version)
  const row = rowOf(form)
  await tx
    .updateTable('membership_specification')
    .set({ ...row, version: now + 1 })
    .where('id', '=', id)
    .execute()
  // An open page still shows the former duration; new ids keep its purchase from succeeding.
  if (before.duration !== form.duration || before.unit !== form.unit) await replaceSpecifications(tx, { id })
  await recordChange(tx, by, client, { cardId, names: [before.name_en, form.en], ...auditDiff(before, row) })
}

export async function remove(tx: Db, by: Staff, client: ClientInfo, id: string): Promise<void> {
  const { card_id: cardId, version: _, ...before } = await lock(tx, by, id)
  await tx
    .updateTable('membership_specification')
    .set({ removed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  await recordChange(tx, by, client, { cardId, names: [before.name_en], before: auditRow(before) })
}

/** Changes the stock by a difference, so that concurrent changes and purchases all count. */
export async function adjustStock(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { specificationId: id, how, units = 0 }: ParsedInput<typeof changeStock>,
): Promise<void> {
  const { card_id: cardId, name_en, stock: limit, sold } = await lock(tx, by, id)
  if ((limit !== null) === (how === 'limit')) throw StockChanged()
  const left = { add: Number(limit) - Number(sold) + units, take: Number(limit) - Number(sold) - units, limit: units, unlimit: 0 }[how]
  if (left < 0) throw StockSold({ left: left + units })
  if (left > maxStock) throw StockTooLarge({ most: maxStock })
  const after = how === 'unlimit' ? null : String(Number(sold) + left)
  // Units that were bought without a limit are not counted.
  if (how === 'limit') await replaceSpecifications(tx, { id, left })
  else await tx.updateTable('membership_specification').set({ stock: after }).where('id', '=', id).execute()
  const unitsLeft = limit === null ? null : Number(limit) - Number(sold)
  await recordChange(tx, by, client, {
    cardId,
    names: [name_en],
    before: { stock: unitsLeft },
    after: { stock: after === null ? null : left },
  })
}

/** Gives specifications new ids, with the remaining stock: the offer behind an id never changes. Orders keep the former ids. */
export async function replaceSpecifications(tx: Db, target: { cardId: string } | { id: string; left?: number }): Promise<void> {
  const [its, left] = 'id' in target ? [sql`id = ${target.id}`, target.left ?? null] : [sql`card_id = ${target.cardId}`, null]
  await sql`
    with former as (
      select * from membership_specification where ${its} and removed_at is null order by id for no key update
    ), fresh as (
      insert into membership_specification (card_id, name_zh, name_en, cents, points, list_cents, stock, duration, unit, is_enabled, sort, version)
      select card_id, name_zh, name_en, cents, points, list_cents, coalesce(${left}::bigint, stock - sold), duration, unit, is_enabled, sort, version
      from former order by id)
    update membership_specification as its set removed_at = clock_timestamp(), stock = case when its.stock is null then null else its.sold end
    from former where its.id = former.id`.execute(tx)
}

const aboutCard = (cardId: string) => `membershipCard ${cardId}`

// The card is locked before its specifications, as in its own edits.
async function lockCard(tx: Db, by: Staff, cardId: string): Promise<void> {
  const card = await tx
    .selectFrom('membership_card')
    .select('role_id')
    .where('id', '=', cardId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!card) throw Missing()
  // A low price gives a role away.
  await role.assertRolesGivable(tx, by.staff, card.role_id === null ? [] : [card.role_id])
}

async function lock(tx: Db, by: Staff, id: string) {
  const its = await tx.selectFrom('membership_specification').select('card_id').where('id', '=', id).executeTakeFirst()
  if (!its) throw Missing()
  await lockCard(tx, by, its.card_id)
  const row = await tx
    .selectFrom('membership_specification')
    .select([
      'card_id',
      'name_zh',
      'name_en',
      'cents',
      'points',
      'list_cents',
      'duration',
      'unit',
      'is_enabled',
      'sort',
      'stock',
      'sold',
      'version',
    ])
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

function rowOf({ zh, en, cash, points, listPrice, duration, unit, isEnabled, sort }: Form) {
  return {
    name_zh: zh,
    name_en: en,
    cents: String(cash ?? 0),
    points: String(points ?? 0),
    list_cents: listPrice === undefined ? null : String(listPrice),
    duration,
    unit,
    is_enabled: isEnabled,
    sort,
  }
}

type Change = {
  cardId: string
  /** The specification's name, before and after. */
  names: [string, string?]
  before?: object
  after?: object
}

// A specification has no page of its own: its changes are logged with its card, under its name.
async function recordChange(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { cardId, names: [was, is = was], before, after }: Change,
): Promise<void> {
  invalidateCards(tx)
  const change = { before: before && { [was]: before }, after: after && { [is]: after } }
  await audit.note(tx, by.staff, client, { action: 'membershipCard.edit', about: aboutCard(cardId), ...change })
}
