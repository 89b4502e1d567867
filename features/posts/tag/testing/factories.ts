import { transact, type Database } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Right } from '#role/all-rights.ts'
import * as role from '#role/server/role.ts'

let count = 0

type Draft = { name?: string; nameEn?: string; under?: string; isRestricted?: boolean; sort?: number }

/** Creates a tag; without a name, one with a unique name. */
export async function aTag(
  database: Database,
  { name = `tag ${++count}`, nameEn = name, under, isRestricted = false, sort = 0 }: Draft = {},
): Promise<string> {
  const names = { key: `tag-${++count}`, name_zh: name, name_en: nameEn }
  const row = { ...names, parent_id: under ?? null, is_restricted: isRestricted, sort }
  return transact(database, async (tx) => {
    invalidate(tx, 'tags', 'role')
    const { id } = await tx.insertInto('tag').values(row).returning('id').executeTakeFirstOrThrow()
    return id
  })
}

export const readerRights: Right[] = [
  'tag.view',
  'topic.publish',
  'topic.edit',
  'topic.remove',
  'comment.post',
  'comment.edit',
  'comment.remove',
  'reply.post',
]

/** A tag that only a role of its own may see, and a function that assigns the role. */
export async function aClosedTag(database: Database, draft: Draft = {}) {
  const tagId = await aTag(database, { ...draft, isRestricted: true })
  const roleId = await aRole(database, readerRights, tagId)
  return { tagId, roleId, admit: (memberId: string) => giveRole(database, memberId, roleId) }
}

/** An unrestricted tag below a restricted one. */
export async function aTagInAClosedGroup(database: Database, { name }: Pick<Draft, 'name'> = {}) {
  const group = await aClosedTag(database, name === undefined ? {} : { name: `above ${name}` })
  return { ...group, groupId: group.tagId, tagId: await aTag(database, { ...(name !== undefined && { name }), under: group.tagId }) }
}

/** Both ways in which a tag can be restricted. */
export const closedTags = [
  ['closed itself', aClosedTag],
  ['below one that is closed', aTagInAClosedGroup],
] as const

/** A role with these rights in one tag, or in all unrestricted tags. */
export async function aRole(database: Database, rights: readonly Right[], tagId?: string): Promise<string> {
  const name = `role ${++count}`
  return transact(database, async (tx) => {
    const { id } = await tx.insertInto('role').values({ name_zh: name, name_en: name }).returning('id').executeTakeFirstOrThrow()
    await tx
      .insertInto('role_right')
      .values(rights.map((right) => ({ role_id: id, right_name: right, tag_id: tagId ?? null })))
      .execute()
    invalidate(tx, 'role')
    return id
  })
}

export async function giveRole(database: Database, memberId: string, roleId: string): Promise<void> {
  await transact(database, (tx) => role.give(tx, memberId, roleId, null))
}
