import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import {
  ChangedBy,
  HasSections,
  maxSections,
  TooDeep,
  TooMany,
  type addSection,
  type editSection,
  type sectionList,
} from '#frame/contract.ts'
import { markChanged } from '#frame/server/frame.ts'

type Draft = ParsedInput<typeof addSection>

export async function list(db: Db): Promise<Output<typeof sectionList>> {
  const rows = await db
    .selectFrom('section')
    .leftJoin('section as above', 'above.id', 'section.parent_id')
    .select(['section.id', 'section.parent_id as parentId', 'section.name_zh as zh', 'section.name_en as en'])
    .select(['section.url', 'section.audience', 'section.sort', 'section.version'])
    .orderBy((row) => row.fn.coalesce('above.sort', 'section.sort'))
    .orderBy((row) => row.fn.coalesce('above.id', 'section.id'))
    .orderBy('section.parent_id', (by) => by.asc().nullsFirst())
    .orderBy('section.sort')
    .orderBy('section.id')
    .execute()
  return { sections: rows.map(({ zh, en, ...row }) => ({ ...row, name: { zh, en } })) }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: Draft): Promise<{ sectionId: string }> {
  await lockAll(tx)
  const { count } = await tx
    .selectFrom('section')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSections) throw TooMany({ max: maxSections })
  await mustBeTopLevel(tx, draft.parentId)
  const { id } = await tx.insertInto('section').values(valuesOf(draft)).returning('id').executeTakeFirstOrThrow()
  markChanged(tx)
  await audit.note(tx, by, client, { action: 'section.add', about: `section ${id}`, after: draft })
  return { sectionId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { sectionId, version, ...draft }: ParsedInput<typeof editSection>,
): Promise<void> {
  await lockAll(tx)
  const before = await tx
    .selectFrom('section')
    .select(['name_zh', 'name_en', 'url', 'parent_id', 'audience', 'sort', 'version'])
    .where('id', '=', sectionId)
    .executeTakeFirst()
  if (!before) throw Missing()
  if (before.version !== version) throw ChangedBy({ account: (await audit.lastActor(tx, `section ${sectionId}`)) ?? '?' })
  if (draft.parentId) {
    await mustBeTopLevel(tx, draft.parentId)
    if (draft.parentId === sectionId || (await hasChildren(tx, sectionId))) throw TooDeep()
  }
  await tx
    .updateTable('section')
    .set({ ...valuesOf(draft), version: version + 1 })
    .where('id', '=', sectionId)
    .execute()
  markChanged(tx)
  await audit.note(tx, by, client, { action: 'section.edit', about: `section ${sectionId}`, before, after: draft })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, sectionId: string): Promise<void> {
  await lockAll(tx)
  if (await hasChildren(tx, sectionId)) throw HasSections()
  const before = await tx.deleteFrom('section').where('id', '=', sectionId).returning(['name_zh', 'name_en', 'url']).executeTakeFirst()
  if (!before) throw Missing()
  markChanged(tx)
  await audit.note(tx, by, client, { action: 'section.remove', about: `section ${sectionId}`, before })
}

function valuesOf({ zh, en, url, parentId, audience, sort }: Draft) {
  return { name_zh: zh, name_en: en, url, parent_id: parentId ?? null, audience, sort }
}

// There are few sections; the lock keeps two levels under concurrent moves.
async function lockAll(tx: Db): Promise<void> {
  await tx.selectFrom('section').select('id').orderBy('id').forUpdate().execute()
}

async function mustBeTopLevel(tx: Db, parentId: string | undefined): Promise<void> {
  if (!parentId) return
  const parent = await tx.selectFrom('section').select('parent_id').where('id', '=', parentId).executeTakeFirst()
  if (!parent || parent.parent_id !== null) throw TooDeep()
}

async function hasChildren(tx: Db, sectionId: string): Promise<boolean> {
  return (await tx.selectFrom('section').select('id').where('parent_id', '=', sectionId).limit(1).executeTakeFirst()) !== undefined
}
