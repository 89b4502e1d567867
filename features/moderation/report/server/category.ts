import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { CategoryInUse, TooDeep, type CategoryGroupView } from '#report/contract.ts'
import type { addCategory, categoryTree, editCategory } from '#report/category-contract.ts'

/** The categories on offer: non-empty groups with their categories. */
export async function choices(db: Db): Promise<CategoryGroupView[]> {
  const rows = await activeCategories(db).execute()
  const view = ({ id, name_zh, name_en }: (typeof rows)[number]) => ({ id, name: { zh: name_zh, en: name_en } })
  return rows
    .filter(({ parent_id }) => parent_id === null)
    .map((group) => ({
      ...view(group),
      categories: rows.filter(({ parent_id }) => parent_id === group.id).map((leaf) => ({ ...view(leaf), needsReason: leaf.needs_reason })),
    }))
    .filter(({ categories }) => categories.length > 0)
}

/** A category that can be chosen; undefined for a group or a removed category. */
export async function findSelectable(db: Db, categoryId: string): Promise<{ needsReason: boolean } | undefined> {
  const leaf = (await choices(db)).flatMap(({ categories }) => categories).find(({ id }) => id === categoryId)
  return leaf && { needsReason: leaf.needsReason }
}

export async function tree(db: Db): Promise<Output<typeof categoryTree>> {
  const rows = await activeCategories(db)
    .select(sql<number>`(select count(*)::int from report where category_id = report_category.id)`.as('reports'))
    .execute()
  return {
    categories: rows.map(({ id, parent_id, name_zh, name_en, needs_reason, sort, version, reports }) => ({
      id,
      parentId: parent_id,
      name: { zh: name_zh, en: name_en },
      needsReason: needs_reason,
      sort,
      version,
      reports,
    })),
  }
}

type Draft = Omit<ParsedInput<typeof editCategory>, 'categoryId' | 'version'>

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  draft: ParsedInput<typeof addCategory>,
): Promise<{ categoryId: string }> {
  await refuseTooDeep(tx, draft.parentId)
  const { id } = await tx.insertInto('report_category').values(rowOf(draft)).returning('id').executeTakeFirstOrThrow()
  await audit.note(tx, by, client, { action: 'reportCategory.add', about: `reportCategory ${id}`, after: draft })
  return { categoryId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { categoryId, version, ...draft }: ParsedInput<typeof editCategory>,
): Promise<void> {
  const row = await activeCategories(tx).where('id', '=', categoryId).forUpdate().executeTakeFirst()
  if (!row) throw Missing()
  const { version: now, ...before } = row
  await audit.refuseIfChanged(tx, `reportCategory ${categoryId}`, now, version)
  if (draft.parentId === categoryId || (draft.parentId && (await isInUse(tx, categoryId)))) throw TooDeep()
  await refuseTooDeep(tx, draft.parentId)
  await tx
    .updateTable('report_category')
    .set({ ...rowOf(draft), version: now + 1 })
    .where('id', '=', categoryId)
    .execute()
  await audit.note(tx, by, client, { action: 'reportCategory.edit', about: `reportCategory ${categoryId}`, before, after: draft })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, categoryId: string): Promise<void> {
  if (await isInUse(tx, categoryId)) throw CategoryInUse()
  const removed = await tx
    .updateTable('report_category')
    .set({ removed_at: sql`now()` })
    .where('id', '=', categoryId)
    .where('removed_at', 'is', null)
    .returning(['name_zh', 'name_en'])
    .executeTakeFirst()
  if (!removed) throw Missing()
  await audit.note(tx, by, client, { action: 'reportCategory.remove', about: `reportCategory ${categoryId}`, before: removed })
}

function activeCategories(db: Db) {
  return db
    .selectFrom('report_category')
    .select(['id', 'parent_id', 'name_zh', 'name_en', 'needs_reason', 'sort', 'version'])
    .where('removed_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
}

function rowOf({ parentId, zh, en, needsReason, sort }: Draft) {
  return { parent_id: parentId ?? null, name_zh: zh, name_en: en, needs_reason: needsReason, sort }
}

async function refuseTooDeep(tx: Db, parentId: string | undefined): Promise<void> {
  if (!parentId) return
  const parent = await activeCategories(tx).where('id', '=', parentId).forUpdate().executeTakeFirst()
  if (!parent || parent.parent_id !== null) throw TooDeep()
}

async function isInUse(tx: Db, categoryId: string): Promise<boolean> {
  return (await activeCategories(tx).where('parent_id', '=', categoryId).limit(1).executeTakeFirst()) !== undefined
}
