import type { ParsedInput } from '#base/contract.ts'
import { anyOf, insertRows, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { moderationRights, visibilityRights, tagRights, type Right } from '#role/all-rights.ts'
import * as role from '#role/server/role.ts'
import type { addTag } from '#tag/contract.ts'

type Access = ParsedInput<typeof addTag>['access']
type AccessLevel = Access[number]['may']

const excludedRights: readonly string[] = moderationRights
const viewRights: Right[] = [...visibilityRights]
const postRights: Right[] = tagRights.filter((right) => !excludedRights.includes(right))
const rightsOf: Record<AccessLevel, Right[]> = { view: viewRights, post: postRights }

/** The roles that may see or post in each tag with rights of its own. */
export async function accessTo(db: Db): Promise<Map<string, Access>> {
  const rows = await db
    .selectFrom('role_right')
    .select(['tag_id as tagId', 'role_id as roleId', 'right_name as right'])
    .where('tag_id', 'is not', null)
    .orderBy('role_id')
    .execute()
  const byTag = Map.groupBy(rows, ({ tagId }) => tagId ?? '')
  return new Map([...byTag].map(([tagId, here]) => [tagId, [...accessLevels(here)].map(([roleId, may]) => ({ roleId, may }))]))
}

type OpenedTo = {
  /** Roles that read there. */ view: readonly string[]
  comment: readonly string[]
  /** Those that begin threads. */ post: readonly string[]
}

/** Gives rights in a new restricted tag, which nobody has any in. */
export async function openTo(tx: Db, tagId: string, { view, comment, post }: OpenedTo): Promise<void> {
  const opening: readonly Right[] = ['topic.publish', 'question.ask']
  const rows = [
    ...view.flatMap((roleId) => viewRights.map((right) => ({ roleId, right }))),
    ...comment.flatMap((roleId) => postRights.filter((right) => !opening.includes(right)).map((right) => ({ roleId, right }))),
    ...post.flatMap((roleId) => postRights.map((right) => ({ roleId, right }))),
  ]
  if (rows.length === 0) return
  await insertRows(
    tx,
    'role_right',
    rows.map(({ roleId, right }) => ({ role_id: roleId, right_name: right, tag_id: tagId })),
  )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type AccessChange = { wasRestricted: boolean; isRestricted: boolean; access: Access }
type RoleRight = { roleId: string; right: string }
type RightsChange = { given: RoleRight[]; taken: RoleRight[] }

/**
 * Sets the roles that may see and post in a tag. Rights are granted or revoked only for roles whose access changes; other rights of
 * roles in the tag stay.
 */
export async function setAccess(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  tagId: string,
  { wasRestricted, isRestricted, access }: AccessChange,
): Promise<void> {
  if (!wasRestricted && !isRestricted) return
  const rows = await tx
    .selectFrom('role_right')
    .select(['role_id as roleId', 'right_name as right', 'tag_id as tagId'])
    .where((row) => row.or([row('tag_id', '=', tagId), row.and([row('tag_id', 'is', null), row('right_name', '=', anyOf(tagRights))])]))
    .execute()
  const here = rows.filter((row) => row.tagId !== null)
  const everywhere = rows.filter((row) => row.tagId === null)
  const change = isRestricted ? changeByChoice(here, access) : changeOnOpening(here, everywhere)
  const keptRights = isRestricted && !wasRestricted ? keptModeration(here, everywhere) : []
  await role.changeInTag(tx, by, client, tagId, { ...change, given: [...change.given, ...keptRights] })
}

function changeByChoice(here: readonly RoleRight[], access: Access): RightsChange {
  const [before, after] = [accessLevels(here), new Map(access.map(({ roleId, may }) => [roleId, may]))]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((roleId) => before.get(roleId) !== after.get(roleId))
  const granted = changed.flatMap((roleId) => {
    const may = after.get(roleId)
    return may ? rightsOf[may].map((right) => ({ roleId, right })) : []
  })
  const taken = here.filter((one) => changed.includes(one.roleId) && isPostRight(one) && !isAmong(granted, one))
  return { given: granted, taken }
}

// Grants that have become redundant are removed, so that they do not reappear unexpectedly later.
function changeOnOpening(here: readonly RoleRight[], everywhere: readonly RoleRight[]): RightsChange {
  return { given: [], taken: here.filter((one) => isPostRight(one) || isAmong(everywhere, one)) }
}

// Global rights end where a tag is restricted; moderators keep theirs by explicit grants.
function keptModeration(here: readonly RoleRight[], everywhere: readonly RoleRight[]): RoleRight[] {
  return everywhere.filter((one) => !isPostRight(one) && !isAmong(here, one))
}

function accessLevels(here: readonly RoleRight[]): Map<string, AccessLevel> {
  const choices = new Map<string, AccessLevel>()
  for (const { roleId, right } of here) {
    if (right === 'topic.publish' || right === 'question.ask') choices.set(roleId, 'post')
    if (right === 'tag.view' && !choices.has(roleId)) choices.set(roleId, 'view')
  }
  return choices
}

function isPostRight({ right }: RoleRight): boolean {
  return postRights.some((one) => one === right)
}

function isAmong(rights: readonly RoleRight[], { roleId, right }: RoleRight): boolean {
  return rights.some((one) => one.roleId === roleId && one.right === right)
}
