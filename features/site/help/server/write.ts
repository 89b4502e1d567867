import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { CategoryNotEmpty, PageChanged, TooDeep } from '#help/contract.ts'
import type { addHelp, addHelpCategory, editHelp, editHelpCategory, helpSource } from '#help/staff-contract.ts'

export async function source(db: Db, pageId: string): Promise<Output<typeof helpSource>> {
  const row = await db.selectFrom('help_page').selectAll().where('id', '=', pageId).executeTakeFirst()
  if (!row) throw Missing()
  return {
    id: row.id,
    categoryId: row.category_id,
    titleZh: row.title_zh,
    titleEn: row.title_en,
    bodyZh: row.body_zh,
    bodyEn: row.body_en,
    sort: row.sort,
    isVisible: row.is_visible,
    version: row.version,
  }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: ParsedInput<typeof addHelp>): Promise<{ pageId: string }> {
  await lockCategory(tx, draft.categoryId)
  const { id } = await tx
    .insertInto('help_page')
    .values({ ...rowOf(draft), changed_by: by.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteAndInvalidate(tx, by, client, { action: 'help.add', about: `help ${id}`, after: logFields(draft) })
  return { pageId: id }
}

/** Refused when the page was changed since it was read, so that nothing is overwritten. */
export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { pageId, version, ...draft }: ParsedInput<typeof editHelp>,
): Promise<void> {
  await lockCategory(tx, draft.categoryId)
  const before = await tx
    .selectFrom('help_page')
    .leftJoin('staff', 'staff.id', 'changed_by')
    .select(['version', 'title_en', 'is_visible', 'account'])
    .where('help_page.id', '=', pageId)
    .forUpdate('help_page')
    .executeTakeFirst()
  if (!before) throw Missing()
  if (before.version !== version) throw PageChanged({ account: before.account ?? '' })
  await tx
    .updateTable('help_page')
    .set({ ...rowOf(draft), version: version + 1, changed_by: by.id, changed_at: sql`now()` })
    .where('id', '=', pageId)
    .execute()
  await noteAndInvalidate(tx, by, client, {
    action: 'help.edit',
    about: `help ${pageId}`,
    before: { title: before.title_en, isVisible: before.is_visible },
    after: logFields(draft),
  })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, pageId: string): Promise<void> {
  const removed = await tx.deleteFrom('help_page').where('id', '=', pageId).returning(['title_en', 'title_zh']).executeTakeFirst()
  if (!removed) throw Missing()
  await noteAndInvalidate(tx, by, client, { action: 'help.remove', about: `help ${pageId}`, before: removed })
}

type CategoryDraft = Omit<ParsedInput<typeof editHelpCategory>, 'categoryId' | 'version'>

export async function addCategory(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  draft: ParsedInput<typeof addHelpCategory>,
): Promise<{ categoryId: string }> {
  await refuseTooDeep(tx, draft.parentId)
  const { id } = await tx.insertInto('help_category').values(categoryRow(draft)).returning('id').executeTakeFirstOrThrow()
  await noteAndInvalidate(tx, by, client, { action: 'helpCategory.add', about: `helpCategory ${id}`, after: draft })
  return { categoryId: id }
}

export async function editCategory(tx: Db, by: StaffActor, client: ClientInfo, input: ParsedInput<typeof editHelpCategory>): Promise<void> {
  const { categoryId, version, ...draft } = input
  const { version: now, ...before } = await lockCategory(tx, categoryId)
  await audit.refuseIfChanged(tx, `helpCategory ${categoryId}`, now, version)
  if (draft.parentId && (draft.parentId === categoryId || (await holds(tx, 'help_category', 'parent_id', categoryId)))) throw TooDeep()
  await refuseTooDeep(tx, draft.parentId)
  await tx
    .updateTable('help_category')
    .set({ ...categoryRow(draft), version: now + 1 })
    .where('id', '=', categoryId)
    .execute()
  await noteAndInvalidate(tx, by, client, { action: 'helpCategory.edit', about: `helpCategory ${categoryId}`, before, after: draft })
}

export async function removeCategory(tx: Db, by: StaffActor, client: ClientInfo, categoryId: string): Promise<void> {
  const before = await lockCategory(tx, categoryId)
  if (await holds(tx, 'help_category', 'parent_id', categoryId)) throw CategoryNotEmpty()
  if (await holds(tx, 'help_page', 'category_id', categoryId)) throw CategoryNotEmpty()
  await tx.deleteFrom('help_category').where('id', '=', categoryId).execute()
  await noteAndInvalidate(tx, by, client, { action: 'helpCategory.remove', about: `helpCategory ${categoryId}`, before })
}

async function noteAndInvalidate(tx: Db, by: StaffActor, client: ClientInfo, action: audit.AuditEntry): Promise<void> {
  invalidate(tx, 'help')
  await audit.note(tx, by, client, action)
}

type Page = ParsedInput<typeof addHelp>

function rowOf({ categoryId, titleZh, titleEn, bodyZh, bodyEn, sort, isVisible }: Page) {
  return { category_id: categoryId, title_zh: titleZh, title_en: titleEn, body_zh: bodyZh, body_en: bodyEn, sort, is_visible: isVisible }
}

function logFields({ categoryId, titleEn, isVisible }: Page) {
  return { title: titleEn, category: categoryId, isVisible }
}

function categoryRow({ parentId, zh, en, sort }: CategoryDraft) {
  return { parent_id: parentId ?? null, name_zh: zh, name_en: en, sort }
}

async function lockCategory(tx: Db, categoryId: string) {
  const row = await tx
    .selectFrom('help_category')
    .select(['parent_id', 'name_zh', 'name_en', 'sort', 'version'])
    .where('id', '=', categoryId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

async function refuseTooDeep(tx: Db, parentId: string | undefined): Promise<void> {
  if (parentId && (await lockCategory(tx, parentId)).parent_id !== null) throw TooDeep()
}

async function holds(tx: Db, table: 'help_category' | 'help_page', column: 'parent_id' | 'category_id', id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit 1`.execute(tx)
  return rows.length > 0
}
