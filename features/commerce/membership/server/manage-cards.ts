import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as pictures from '#membership/server/card-picture.ts'
import { invalidateCards } from '#membership/server/cards.ts'
import { auditDiff } from '#membership/server/audit-diff.ts'
import { replaceSpecifications } from '#membership/server/manage-specifications.ts'
import { ReplacesEachOther, ReplacesSameRole, RoleUnfit } from '#membership/contract.ts'
import type { addMembershipCard, editMembershipCard } from '#membership/staff-contract.ts'
import * as role from '#role/server/role.ts'

type Form = ParsedInput<typeof addMembershipCard>

const aboutCard = (cardId: string) => `membershipCard ${cardId}`

export async function add(tx: Db, by: Staff, client: ClientInfo, form: Form): Promise<{ cardId: string }> {
  await lockRole(tx, by, form.roleId)
  if (form.picture) await pictures.attach(tx, by, form.picture)
  const { id } = await tx
    .insertInto('membership_card')
    .values({ ...rowOf(form), picture: form.picture || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setReplaced(tx, id, form)
  invalidateCards(tx)
  await audit.note(tx, by.staff, client, { action: 'membershipCard.add', about: aboutCard(id), after: form })
  return { cardId: id }
}

export async function edit(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { cardId, version, ...form }: ParsedInput<typeof editMembershipCard>,
): Promise<void> {
  await lockRole(tx, by, form.roleId)
  const { version: now, removed_at, ...before } = await lock(tx, cardId)
  if (removed_at) throw Missing()
  await audit.refuseIfChanged(tx, aboutCard(cardId), now, version)
  const picture = form.picture === undefined ? before.picture : form.picture || null
  if (picture && picture !== before.picture) await pictures.attach(tx, by, picture)
  const replaced = await replacedBy(tx, cardId)
  const row = { ...rowOf(form), picture }
  await tx
    .updateTable('membership_card')
    .set({ ...row, version: now + 1 })
    .where('id', '=', cardId)
    .execute()
  if (before.picture && picture !== before.picture) await file.release(tx, before.picture)
  await setReplaced(tx, cardId, form)
  // An open page still shows the former role; new ids keep its purchase from succeeding.
  if (before.role_id !== form.roleId) await replaceSpecifications(tx, { cardId })
  invalidateCards(tx)
  await audit.note(tx, by.staff, client, {
    action: 'membershipCard.edit',
    about: aboutCard(cardId),
    ...auditDiff({ ...before, replaces: replaced }, { ...row, replaces: form.replaces }),
  })
}

export async function remove(tx: Db, by: Staff, client: ClientInfo, cardId: string): Promise<void> {
  const { removed_at, name_zh, name_en, is_on_sale } = await lock(tx, cardId)
  if (removed_at) throw Missing()
  await tx
    .updateTable('membership_card')
    .set((row) => ({ removed_at: sql<Date>`clock_timestamp()`, is_on_sale: false, version: row('version', '+', 1) }))
    .where('id', '=', cardId)
    .execute()
  invalidateCards(tx)
  await audit.note(tx, by.staff, client, {
    action: 'membershipCard.remove',
    about: aboutCard(cardId),
    before: { name_zh, name_en, is_on_sale },
  })
}

/** Restores a removed card, off sale, so that staff review it before it is sold. */
export async function restore(tx: Db, by: Staff, client: ClientInfo, cardId: string): Promise<void> {
  const sold = await tx.selectFrom('membership_card').select('role_id').where('id', '=', cardId).executeTakeFirst()
  if (!sold) throw Missing()
  if (sold.role_id === null) throw RoleUnfit()
  await lockRole(tx, by, sold.role_id)
  const { removed_at, role_id, name_zh, name_en } = await lock(tx, cardId)
  if (!removed_at) throw Missing()
  if (role_id !== sold.role_id) throw RoleUnfit()
  await tx
    .updateTable('membership_card')
    .set((row) => ({ removed_at: null, version: row('version', '+', 1) }))
    .where('id', '=', cardId)
    .execute()
  invalidateCards(tx)
  await audit.note(tx, by.staff, client, { action: 'membershipCard.restore', about: aboutCard(cardId), after: { name_zh, name_en } })
}

// Locked before the card: a concurrent deletion of the role clears it from removed cards.
async function lockRole(tx: Db, by: Staff, roleId: string): Promise<void> {
  const found = await tx.selectFrom('role').select('is_default').where('id', '=', roleId).forShare().executeTakeFirst()
  if (!found || found.is_default) throw RoleUnfit()
  await role.assertRolesGivable(tx, by.staff, [roleId])
}

async function lock(tx: Db, cardId: string) {
  const row = await tx
    .selectFrom('membership_card')
    .select(['role_id', 'name_zh', 'name_en', 'subtitle_zh', 'subtitle_en', 'bullets_zh', 'bullets_en', 'body_zh', 'body_en'])
    .select(['picture', 'is_on_sale', 'sort', 'version', 'removed_at'])
    .where('id', '=', cardId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

/** A missing text in one language is taken from the other. */
function rowOf(form: Form) {
  const orOther = (own: string[], other: string[]) => (own.length > 0 ? own : other)
  return {
    role_id: form.roleId,
    name_zh: form.nameZh,
    name_en: form.nameEn,
    subtitle_zh: form.subtitleZh || form.subtitleEn,
    subtitle_en: form.subtitleEn || form.subtitleZh,
    bullets_zh: orOther(form.bulletsZh, form.bulletsEn),
    bullets_en: orOther(form.bulletsEn, form.bulletsZh),
    body_zh: form.bodyZh || form.bodyEn,
    body_en: form.bodyEn || form.bodyZh,
    is_on_sale: form.isOnSale,
    sort: form.sort,
  }
}

async function replacedBy(tx: Db, cardId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('membership_upgrade')
    .select('from_card_id')
    .where('card_id', '=', cardId)
    .orderBy('from_card_id')
    .execute()
  return rows.map(({ from_card_id }) => from_card_id)
}

async function setReplaced(tx: Db, cardId: string, { roleId, replaces }: Form): Promise<void> {
  const ids = [...new Set(replaces)]
  // Concurrent edits that let two cards replace each other would not see each other's row.
  await sql`lock table membership_upgrade in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ found: number; isSame: boolean; isMutual: boolean }>`
    select count(*) filter (where id = ${anyOf(ids)})::int as found,
      coalesce(bool_or(role_id = ${roleId} and (id = ${anyOf(ids)} or exists (
        select from membership_upgrade where card_id = card.id and from_card_id = ${cardId}))), false) as "isSame",
      coalesce(bool_or(id = ${anyOf(ids)} and exists (
        select from membership_upgrade where card_id = card.id and from_card_id = ${cardId})), false) as "isMutual"
    from membership_card as card where removed_at is null`.execute(tx)
  const [its] = rows
  if (its?.found !== ids.length) throw Missing()
  if (its.isSame) throw ReplacesSameRole()
  if (its.isMutual) throw ReplacesEachOther()
  await tx.deleteFrom('membership_upgrade').where('card_id', '=', cardId).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('membership_upgrade')
    .values(ids.map((from_card_id) => ({ card_id: cardId, from_card_id })))
    .execute()
}
