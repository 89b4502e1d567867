import { anyOf, type Db } from '#base/server/database.ts'
import type { Hand } from '#base/server/route.ts'
import { MoreThanOwn, type Right } from '#role/contract.ts'

type Held = { right: string; tagId: string | null }

// Who of the staff may let members do this to anybody’s posts.
const staffRightFor: { [right in Right]?: string } = {
  'content.edit.any': 'content.edit',
  'content.remove.any': 'content.remove',
  'topic.unreviewed': 'content.review',
  'comment.unreviewed': 'content.review',
  'reply.unreviewed': 'content.review',
}

/** Refuses a change by which members get, or lose, what the giver may not do here. */
export function refuseMore(by: Hand, before: readonly Held[], after: readonly Held[]): void {
  const places = (rights: readonly Held[], right: string) => rights.filter((one) => one.right === right).map(({ tagId }) => tagId)
  const isBeyond = ([right, needed]: [string, string]) =>
    !by.may(needed) && differing(places(before, right), places(after, right)).length > 0
  if (Object.entries(staffRightFor).some(isBeyond)) throw MoreThanOwn()
}

/** The same for roles that a member gets or loses. */
export async function refuseRoles(db: Db, by: Hand, before: readonly string[], after: readonly string[]): Promise<void> {
  const rights = await db
    .selectFrom('role_right')
    .select(['right_name as right', 'tag_id as tagId'])
    .where('role_id', '=', anyOf(differing(before, after)))
    .execute()
  refuseMore(by, [], rights)
}

function differing<Value>(before: readonly Value[], after: readonly Value[]): Value[] {
  return [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))]
}
