import { sql } from 'kysely'
import type { Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { tagRights, type Right } from '#role/contract.ts'
import type { addTag } from '#tag/contract.ts'

type Access = Taken<typeof addTag>['access']

const looking: Right[] = ['topic.view']
const posting: Right[] = [
  ...looking,
  'topic.publish',
  'topic.edit',
  'topic.remove',
  'comment.post',
  'comment.edit',
  'comment.remove',
  'reply.post',
  'reply.edit',
  'reply.remove',
]

/** The roles that may look or post in each tag that says who may. Those who keep order everywhere go without saying. */
export async function accessTo(db: Db): Promise<Map<string, Access>> {
  const rows = await db
    .selectFrom('role_right')
    .select(['tag_id', 'role_id', sql<boolean>`bool_or(right_name = 'topic.publish')`.as('posts')])
    .where('tag_id', 'is not', null)
    .where('right_name', 'in', ['topic.view', 'topic.publish'])
    .where('role_id', 'not in', keepers(db))
    .groupBy(['tag_id', 'role_id'])
    .orderBy('role_id')
    .execute()
  const access = new Map<string, Access>()
  for (const { tag_id, role_id, posts } of rows) {
    if (tag_id === null) continue
    access.set(tag_id, [...(access.get(tag_id) ?? []), { roleId: role_id, may: posts ? 'post' : 'view' }])
  }
  return access
}

/** Who may look and post in a tag, in place of who might before. Those who keep order everywhere always may. */
export async function giveAccess(
  tx: Db,
  tagId: string,
  { isRestricted, access }: { isRestricted: boolean; access: Access },
): Promise<void> {
  await tx.deleteFrom('role_right').where('tag_id', '=', tagId).execute()
  if (!isRestricted) return
  const kept = await keepers(tx).distinct().execute()
  const given = new Map(access.map(({ roleId, may }) => [roleId, may === 'post' ? posting : looking]))
  for (const { role_id } of kept) given.set(role_id, [...tagRights])
  const rows = [...given].flatMap(([role_id, rights]) => rights.map((right_name) => ({ role_id, right_name, tag_id: tagId })))
  if (rows.length > 0) await tx.insertInto('role_right').values(rows).execute()
}

function keepers(db: Db) {
  return db.selectFrom('role_right').select('role_id').where('right_name', '=', 'content.edit.any').where('tag_id', 'is', null)
}
