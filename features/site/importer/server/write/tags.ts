import { sql } from 'kysely'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import type { SourceGroup, SourceTag } from '#importer/server/source.ts'
import { storeAvatar } from '#importer/server/write/files.ts'
import { idsFor, insertWithIds, newIds, record, type ImportContext } from '#importer/server/write/import-context.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'
import * as role from '#role/server/role.ts'
import * as tag from '#tag/server/tag.ts'

const maxName = 50
const maxDescription = 300

/** Groups become roles with the rights that they had, which is none in another program. Groups of staff, and those of everybody, become no role. */
export async function writeGroups(tx: Db, context: ImportContext, groups: readonly SourceGroup[]): Promise<void> {
  const known = await newIds(
    tx,
    context,
    'group',
    groups.map(({ id }) => id),
  )
  const coming = groups.filter((group) => becomesRole(group) && context.mapping.groups[group.id] !== 'leave out' && !known.has(group.id))
  for (const { name, isStaff } of groups) if (isStaff) context.note('group of staff, whose rights are given by hand', name)
  for (const one of coming) {
    const { id } = one
    const there = await sameRole(tx, one)
    const row = there ?? (await addRole(tx, context, one))
    await record(tx, context, [
      { kind: 'group', oldId: id, newId: row.id },
      ...(there ? [{ kind: 'kept' as const, oldId: `role ${row.id}`, newId: row.id }] : []),
    ])
  }
}

/** A role here of the same name that gives the same rights: another would give its holders what they did not have. */
async function sameRole(tx: Db, group: SourceGroup): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select role.id from role where name_zh = ${roleNames(group).name_zh} and not is_default
      and array(select right_name from role_right where role_id = role.id order by right_name collate "C")
        = array(select unnest(${rightsOf(group)}::text[]) collate "C" order by 1)
    order by role.id limit 1`.execute(tx)
  return rows[0]
}

function rightsOf({ rights = [] }: SourceGroup): string[] {
  return rights.filter((right) => isRight(right))
}

async function addRole(tx: Db, context: ImportContext, group: SourceGroup): Promise<{ id: string }> {
  const [id = ''] = await idsFor(tx, context, 'role', [group.id])
  await insertWithIds(tx, 'role', [{ id, ...roleNames(group), sort: group.order ?? 100, is_default: false, version: 0 }])
  const rights = rightsOf(group)
  if (rights.length > 0)
    await insertRows(
      tx,
      'role_right',
      rights.map((right) => ({ role_id: id, right_name: right, tag_id: null })),
    ).execute()
  return { id }
}

const isRight = (name: string) => [...tagRights, ...globalRights].some((right) => right === name)

function roleNames({ id, name, nameEn }: SourceGroup): Names {
  return namesFor(name, nameEn, `#${id}`)
}

type PreparedTag = SourceTag & { stored: file.StoredPicture | null }

/** Stores the pictures of tags, without a transaction. */
export async function prepareTags(context: ImportContext, tags: readonly SourceTag[]): Promise<PreparedTag[]> {
  const prepared: PreparedTag[] = []
  for (const its of tags) prepared.push({ ...its, stored: its.picture ? await storeAvatar(context, its.picture) : null })
  return prepared
}

/**
 * Forums become tags on two levels: one at the top stays there, everything below it becomes a tag of its own under it. Threads of a forum that
 * has others below stand in a tag of the same name. What only some could read stays with them.
 */
export async function writeTags(tx: Db, context: ImportContext, tags: readonly PreparedTag[]): Promise<void> {
  const byId = new Map(tags.map((one) => [one.id, one]))
  const ordered = tags.toSorted((one, other) => one.order - other.order)
  const hasChildren = new Set(tags.flatMap(({ id, parentId }) => (parentId === id ? [] : (parentId ?? []))))
  const done = await newIds(tx, context, 'tag', byId.keys())
  const tops = new Map<string, string>()
  for (const [sort, its] of ordered.entries()) {
    if (done.has(its.id)) continue
    const top = its.isTopicTag ? topicTagsIn(context) : topOf(its, byId)
    const isAlone = top.id === its.id && !hasChildren.has(its.id)
    const topId = isAlone ? null : (tops.get(top.id) ?? (await topTag(tx, context, top, sort)))
    if (topId !== null) tops.set(top.id, topId)
    const isTopAlone = top.id === its.id && topId !== null && its.isCategory === true
    const newId = isTopAlone
      ? topId
      : await addTag(tx, context, its, { parentId: topId, sort, key: await keyFor(tx, its, keyOf(its.id), context) })
    await record(tx, context, [{ kind: 'tag', oldId: its.id, newId }])
  }
  invalidate(tx, 'tags', 'role')
}

/** What topic tags stand below, so that they do not mingle with forums. */
function topicTagsIn({ mapping }: ImportContext): PreparedTag {
  const name = mapping.language === 'zh' ? '标签' : 'Tags'
  return { id: 'topic tags', parentId: null, name, description: '', order: 0, readers: 'everybody', writers: 'members', stored: null }
}

export function becomesRole({ isBuiltIn, isStaff }: SourceGroup): boolean {
  return !isBuiltIn && !isStaff
}

/** The forum at the top above a forum, or itself. */
export function topOf<T extends SourceTag>(its: T, byId: ReadonlyMap<string, T>): T {
  let top = its
  // A forum that lies in itself ends the walk.
  for (const seen = new Set([its.id]); top.parentId !== null;) {
    const parent = byId.get(top.parentId)
    if (!parent || seen.has(parent.id)) break
    seen.add(parent.id)
    top = parent
  }
  return top
}

async function topTag(tx: Db, context: ImportContext, top: PreparedTag, sort: number): Promise<string> {
  const oldId = `group/${top.id}`
  const there = (await newIds(tx, context, 'tag', [oldId])).get(oldId)
  const id =
    there ?? (await addTag(tx, context, top, { parentId: null, sort, key: await keyFor(tx, top, `group-${keyOf(top.id)}`, context) }))
  await record(tx, context, [{ kind: 'tag', oldId, newId: id }])
  return id
}

/** The key that it had, or one of the program that it comes from. */
async function keyFor(tx: Db, { key }: SourceTag, name: string, { reader }: ImportContext): Promise<string> {
  const isFree = key !== undefined && !(await tx.selectFrom('tag').select('id').where('key', '=', key).executeTakeFirst())
  return isFree ? key : `${reader.program}-${name}`
}

type TagPlace = { parentId: string | null; sort: number; key: string }

async function addTag(tx: Db, context: ImportContext, its: PreparedTag, { parentId, sort, key }: TagPlace): Promise<string> {
  const restricted = its.readers !== 'everybody' || its.writers !== 'members' || (its.commenters ?? 'members') !== 'members'
  const [id = ''] = await idsFor(tx, context, 'tag', [its.id])
  const row = {
    id,
    parent_id: parentId,
    key,
    ...namesFor(its.name, its.nameEn, `#${its.id}`),
    description_zh: descriptionFor(its.description),
    description_en: descriptionFor(its.descriptionEn ?? its.description),
    sort,
    is_restricted: restricted,
  }
  await insertWithIds(tx, 'tag', [{ ...row, topic_count: 0, version: 1 }])
  if (restricted) await openTag(tx, context, id, its)
  if (its.stored) await setPicture(tx, context, id, its.stored)
  return id
}

async function setPicture(tx: Db, context: ImportContext, tagId: string, picture: file.StoredPicture): Promise<void> {
  await file.add(tx, context.guestId, picture)
  await file.markUsed(tx, [picture.id])
  await tx.updateTable('tag').set({ picture: picture.id }).where('id', '=', tagId).execute()
  await record(tx, context, [{ kind: 'file', oldId: `picture/${tagId}`, newId: picture.id }])
}

/** Gives the rights in a restricted tag to the roles of the groups that had them. */
async function openTag(tx: Db, context: ImportContext, tagId: string, its: SourceTag): Promise<void> {
  const { readers, writers, commenters = 'members', name } = its
  const named = [readers, writers, commenters].flatMap((ids) => (typeof ids === 'string' ? [] : ids))
  const groups = await newIds(tx, context, 'group', named)
  const rolesOf = (ids: readonly string[]) => ids.flatMap((id) => groups.get(id) ?? [])
  const reading =
    readers === 'everybody' ? await everybody(tx) : readers === 'members' ? [await membersRole(tx, context)] : rolesOf(readers)
  const among = (ids: 'members' | readonly string[]) => (ids === 'members' ? reading : rolesOf(ids))
  await tag.openTo(tx, tagId, { view: reading, comment: among(commenters), post: among(writers) })
  if (reading.length === 0) context.note('forum that nobody reads until a role is given for it', name)
}

async function everybody(tx: Db): Promise<string[]> {
  const id = await role.defaultRoleId(tx)
  return id === null ? [] : [id]
}

/** The role of all who came along, for what visitors could not read. */
async function membersRole(tx: Db, context: ImportContext): Promise<string> {
  const known = await newIds(tx, context, 'group', [membersGroup])
  const there = known.get(membersGroup)
  if (there !== undefined) return there
  const names = namesFor(context.reader.title, undefined, 'Members')
  const { id } = await tx
    .insertInto('role')
    .values({ ...names, sort: 99 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(tx, context, [{ kind: 'group', oldId: membersGroup, newId: id }])
  return id
}

/** The group of all members in a forum that visitors could not read. */
export const membersGroup = 'members'

type Names = { name_zh: string; name_en: string }

function namesFor(name: string, nameEn: string | undefined, fallback: string): Names {
  const lineOf = (text: string) => [...text.toWellFormed().replace(/\s+/g, ' ').trim()].slice(0, maxName).join('').trim()
  const line = lineOf(name) || fallback
  return { name_zh: line, name_en: lineOf(nameEn ?? name) || line }
}

/** A name on one line, as long as names of tags and roles are. */
export function nameFor(name: string, fallback: string): Names {
  return namesFor(name, undefined, fallback)
}

function descriptionFor(text: string): string {
  return [...text.trim()].slice(0, maxDescription).join('')
}

function keyOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
}
