import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'

/** Returns whether the actor may decide about posts of a member. */
export async function mayDecideAbout(db: Db, by: Staff): Promise<(authorId: string) => boolean> {
  const isAlone = await staff.isOnlyHolder(db, by.staff, 'content.review')
  return (authorId) => isAlone || authorId !== by.id
}

export async function refuseOwn(db: Db, by: Staff, authorId: string): Promise<void> {
  if (!(await mayDecideAbout(db, by))(authorId)) throw OwnCase()
}
