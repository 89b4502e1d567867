import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, isDuplicate, type Db } from '#base/server/database/database.ts'
import { staff, type ClientInfo, type StaffActor, type Staff } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as file from '#file/server/file.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { HoldsTopics, KeyTaken, TagChangedSince, TooDeep, type addTag, type editTag, type tagsForStaff } from '#tag/contract.ts'
import * as pictures from '#tag/server/picture.ts'
import { accessTo, setAccess } from '#tag/server/tag-access.ts'

type Form = ParsedInput<typeof addTag>

const isModerator = sql<boolean>`exists (
  select from role_right where role_id = role.id and right_name = 'content.edit.any' and tag_id is null)`

export async function all(db: Db): Promise<Output<typeof tagsForStaff>> {
  const [tags, access, roles] = await Promise.all([
    db
      .selectFrom('tag')
      .select([
        'id',
        'parent_id',
        'key',
        'name_zh',
        'name_en',
        'description_zh',
        'description_en',
        'picture',
        'version',
        'topic_count',
        'is_restricted',
      ])
      .select(sql<number>`(select count(*)::int from topic where topic.tag_id = tag.id)`.as('all_topics'))
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    accessTo(db),
    allRoles(db),
  ])
  return {
    tags: tags.map((row) => ({
      id: row.id,
      parentId: row.parent_id,
      key: row.key,
      name: { zh: row.name_zh, en: row.name_en },
      description: { zh: row.description_zh, en: row.description_en },
      picture: row.picture === null ? null : pictures.viewOf(row.picture),
      version: row.version,
      topicCount: row.topic_count,
      allTopics: row.all_topics,
      access: row.is_restricted ? (access.get(row.id) ?? []) : null,
    })),
    roles,
  }
}

async function allRoles(db: Db): Promise<Output<typeof tagsForStaff>['roles']> {
  const rows = await db
    .selectFrom('role')
    .select(['id', 'name_zh', 'name_en', 'is_default'])
    .select(isModerator.as('keeps_order'))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name_zh: zh, name_en: en, is_default, keeps_order }) => ({
    id,
    name: { zh, en },
    isDefault: is_default,
    keepsOrder: keeps_order,
  }))
}

export async function add(tx: Db, by: Staff, client: ClientInfo, form: Form): Promise<{ tagId: string }> {
  await refuseParent(tx, form.parentId)
  if (form.picture) await pictures.assign(tx, by, form.picture)
  const last = sql<number>`(select coalesce(max(sort), 0) + 1 from tag)`
  const { id } = await tx
    .insertInto('tag')
    .values({ ...rowOf(form), picture: form.picture || null, sort: last })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseDuplicateKey)
  await setAccess(tx, by.staff, client, id, { ...form, wasRestricted: false })
  invalidateAll(tx)
  await audit.note(tx, by.staff, client, { action: 'tag.add', about: `tag ${id}`, after: form })
  return { tagId: id }
}

/** Edits a tag, unless another editor changed it since it was loaded. */
export async function edit(tx: Db, by: Staff, client: ClientInfo, { tagId, version, ...form }: ParsedInput<typeof editTag>): Promise<void> {
  const before = await lock(tx, tagId)
  if (before.version !== version) throw TagChangedSince()
  const access = (await accessTo(tx)).get(tagId) ?? []
  const opens = before.is_restricted && isWider(access, form)
  if (opens || (await leavesRestricted(tx, before.parent_id, form.parentId))) {
    staff('tag.manage', { proved: true })(by)
    requireReadRight(by)
  }
  if (form.parentId !== undefined && form.parentId !== before.parent_id) {
    if (form.parentId === tagId || (await hasSubtags(tx, tagId))) throw TooDeep()
    await refuseParent(tx, form.parentId)
  }
  const picture = form.picture === undefined ? before.picture : form.picture || null
  if (picture && picture !== before.picture) await pictures.assign(tx, by, picture)
  await tx
    .updateTable('tag')
    .set({ ...rowOf(form), picture, version: version + 1 })
    .where('id', '=', tagId)
    .execute()
    .catch(refuseDuplicateKey)
  if (before.picture && picture !== before.picture) await file.release(tx, before.picture)
  await setAccess(tx, by.staff, client, tagId, { ...form, wasRestricted: before.is_restricted })
  invalidateAll(tx)
  await audit.note(tx, by.staff, client, {
    action: 'tag.edit',
    about: `tag ${tagId}`,
    before: { ...before, access },
    after: { ...form, picture },
  })
}

export async function sort(tx: Db, by: StaffActor, client: ClientInfo, tagIds: readonly string[]): Promise<void> {
  const places = tagIds.map((_, index) => index)
  await tx.selectFrom('tag').select('id').where('id', '=', anyOf(tagIds)).orderBy('id').forUpdate().execute()
  await sql`
    update tag set sort = place.sort from unnest(${[...tagIds]}::bigint[], ${places}::int[]) as place(id, sort) where tag.id = place.id
  `.execute(tx)
  invalidateAll(tx)
  await audit.note(tx, by, client, { action: 'tag.sort', after: { tagIds } })
}

/** Invalidates every page, since tags are named on all of them and decide their visibility. */
export function invalidateAll(tx: Db): void {
  invalidate(tx, 'tags', 'role', 'tagCounts', 'everything')
}

// Leaves hold topics, and the tree has two levels.
async function refuseParent(tx: Db, parentId: string | undefined): Promise<void> {
  if (parentId === undefined) return
  const parent = await lock(tx, parentId)
  if (parent.parent_id !== null) throw TooDeep()
  const topic = await tx.selectFrom('topic').select('id').where('tag_id', '=', parentId).limit(1).executeTakeFirst()
  if (topic) throw HoldsTopics()
}

/** Requires the right to read posts from an actor who widens the access to a restricted tag. */
export function requireReadRight(by: Staff): void {
  if (!by.staff.may('content.view')) throw MoreThanOwn()
}

function isWider(access: Form['access'], form: Form): boolean {
  return !form.isRestricted || form.access.some(({ roleId }) => !access.some((one) => one.roleId === roleId))
}

async function leavesRestricted(tx: Db, parentId: string | null, to: string | undefined): Promise<boolean> {
  if (parentId === null || parentId === to) return false
  return (await lock(tx, parentId)).is_restricted
}

async function hasSubtags(tx: Db, tagId: string): Promise<boolean> {
  return (await tx.selectFrom('tag').select('id').where('parent_id', '=', tagId).limit(1).executeTakeFirst()) !== undefined
}

async function lock(tx: Db, tagId: string) {
  const row = await tx
    .selectFrom('tag')
    .select(['parent_id', 'key', 'name_zh', 'name_en', 'description_zh', 'description_en', 'picture', 'is_restricted', 'version'])
    .where('id', '=', tagId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

function rowOf(form: Form) {
  return {
    parent_id: form.parentId ?? null,
    key: form.key,
    name_zh: form.nameZh,
    name_en: form.nameEn,
    description_zh: form.descriptionZh,
    description_en: form.descriptionEn,
    is_restricted: form.isRestricted,
  }
}

function refuseDuplicateKey(error: unknown): never {
  throw isDuplicate(error) ? KeyTaken() : error
}
