import type { Db } from '#base/server/database/database.ts'
import { readSampleCards, type SampleCard } from '#database/sample/cards.ts'
import type { People } from '#database/seed/document.ts'
import { required } from '#database/seed/required.ts'
import { buy } from '#membership/server/buy.ts'
import { invalidateCards } from '#membership/server/cards.ts'
import { tagRights, type Right } from '#role/all-rights.ts'
import { parseAmount, toMinor, type Currency } from '#wallet/contract.ts'

type Ids = ReadonlyMap<string, string>

/** Puts membership cards on sale, with their roles, and lets two members buy one. */
export async function sellCards(tx: Db, tags: Ids, people: People): Promise<void> {
  const cards = new Map<string, string>()
  for (const [sort, card] of readSampleCards().entries()) {
    const roleId = await addRole(tx, card, 30 + sort, tags)
    const cardId = await addCard(tx, card, sort, roleId)
    cards.set(card.key, cardId)
    if (card.replaces)
      await tx
        .insertInto('membership_upgrade')
        .values({ card_id: cardId, from_card_id: required(cards, card.replaces) })
        .execute()
  }
  invalidateCards(tx)
  const week = await weekOf(tx, required(cards, 'regular'))
  await buy(tx, memberOf(people, 'elif_cooks'), week)
  await buy(tx, memberOf(people, 'xiaoman'), { ...week, receiver: required(people, 'moshu').name, note: '上次的普洱，谢谢你。' })
}

async function addRole(tx: Db, { role, rights, opens }: SampleCard, sort: number, tags: Ids): Promise<string> {
  const row = { name_zh: role.zh, name_en: role.en, sort }
  const { id } = await tx.insertInto('role').values(row).returning('id').executeTakeFirstOrThrow()
  const inTag: readonly Right[] = opens ? tagRights.filter((right) => !right.startsWith('content.')) : []
  const rows = [
    ...rights.map((right) => ({ role_id: id, right_name: right, tag_id: null })),
    ...inTag.map((right) => ({ role_id: id, right_name: right, tag_id: required(tags, opens ?? '') })),
  ]
  await tx.insertInto('role_right').values(rows).execute()
  return id
}

async function addCard(
  tx: Db,
  { name, subtitle, bullets, body, specifications }: SampleCard,
  sort: number,
  roleId: string,
): Promise<string> {
  const { id } = await tx
    .insertInto('membership_card')
    .values({
      role_id: roleId,
      name_zh: name.zh,
      name_en: name.en,
      subtitle_zh: subtitle.zh,
      subtitle_en: subtitle.en,
      bullets_zh: bullets.zh,
      bullets_en: bullets.en,
      body_zh: body.zh,
      body_en: body.en,
      is_on_sale: true,
      sort,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = specifications.map((its, place) => ({
    card_id: id,
    name_zh: its.name.zh,
    name_en: its.name.en,
    cents: amountOf('cny', its.yuan),
    points: amountOf('points', its.points),
    list_cents: its.listYuan === undefined ? null : amountOf('cny', its.listYuan),
    stock: its.stock === undefined ? null : String(its.stock),
    duration: its.duration,
    unit: its.unit,
    sort: place,
  }))
  await tx.insertInto('membership_specification').values(rows).execute()
  return id
}

function amountOf(currency: Currency, text: string | undefined): string {
  if (text === undefined) return '0'
  const amount = parseAmount(currency, text)
  if (amount === null) throw new Error(`The sample asks for ${text}, which is no amount`)
  return String(amount)
}

/** A week for points, which every site sells. */
async function weekOf(
  tx: Db,
  cardId: string,
): Promise<Pick<Parameters<typeof buy>[2], 'specificationId' | 'quantity' | 'upgrades' | 'cash' | 'points'>> {
  const { id, points } = await tx
    .selectFrom('membership_specification')
    .select(['id', 'points'])
    .where('card_id', '=', cardId)
    .where('cents', '=', '0')
    .orderBy('sort')
    .executeTakeFirstOrThrow()
  return { specificationId: id, quantity: 1, upgrades: false, cash: toMinor(0), points: toMinor(points) }
}

function memberOf(people: People, account: string): Parameters<typeof buy>[1] {
  return { id: required(people, account).id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
}
