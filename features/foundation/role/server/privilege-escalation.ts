import { anyOf, type Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { visibilityRights, type Right } from '#role/all-rights.ts'
import { MoreThanOwn } from '#role/contract.ts'

export type RightGrant = { right: string; tagId: string | null }

// The staff right that is needed to give members this right over any post.
const staffRightFor: { [right: string]: string | undefined } = {
  'content.edit.any': 'content.edit',
  'content.remove.any': 'content.remove',
  'topic.seeHidden': 'content.seeHidden',
  'topic.unreviewed': 'content.review',
  'comment.unreviewed': 'content.review',
  'reply.unreviewed': 'content.review',
  'question.unreviewed': 'content.review',
  'answer.unreviewed': 'content.review',
  'answerReply.unreviewed': 'content.review',
} satisfies { [right in Right]?: string }

/** Refuses a change by which members get, or lose, a right that the actor lacks here. */
export function assertNoEscalation(by: StaffActor, before: readonly RightGrant[], after: readonly RightGrant[]): void {
  if (differenceOf(before, after).some((one) => exceedsOwn(by, one))) throw MoreThanOwn()
}

/** The same for roles that a member gets, loses, or is approved with. */
export async function assertRolesGivable(db: Db, by: StaffActor, roleIds: readonly string[]): Promise<void> {
  const givableIds = await givable(db, by, roleIds)
  if (roleIds.some((id) => !givableIds.has(id))) throw MoreThanOwn()
}

/** Those of these roles that the actor may give. */
export async function givable(db: Db, by: StaffActor, roleIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rights = await db
    .selectFrom('role_right')
    .select(['role_id', 'right_name as right', 'tag_id as tagId'])
    .where('role_id', '=', anyOf(roleIds))
    .execute()
  return new Set(roleIds.filter((id) => !rights.some((one) => one.role_id === id && exceedsOwn(by, one))))
}

function exceedsOwn(by: StaffActor, one: RightGrant): boolean {
  const needed = isViewOfTag(one) ? 'content.view' : staffRightFor[one.right]
  return needed !== undefined && !by.may(needed)
}

/** The rights that only one of the two has. */
export function differenceOf(before: readonly RightGrant[], after: readonly RightGrant[]): RightGrant[] {
  const isIn = (rights: readonly RightGrant[], one: RightGrant) =>
    rights.some(({ right, tagId }) => right === one.right && tagId === one.tagId)
  return [...before.filter((one) => !isIn(after, one)), ...after.filter((one) => !isIn(before, one))]
}

// The right to view applies to restricted tags only.
function isViewOfTag({ right, tagId }: RightGrant): boolean {
  return tagId !== null && visibilityRights.some((one) => one === right)
}
