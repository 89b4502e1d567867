import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'
import type * as posts from '#post/server/post.ts'

/** Refuses to restore the actor's own post that another member of staff removed, unless the actor is the only one with the right. */
export async function refuseOwnPost(tx: Db, by: Staff, { kind, id }: posts.Post): Promise<void> {
  const { rows } = await sql<{ removed_by: string | null }>`
    select (select removed_by from removal where removal.kind = ${kind} and thing_id = post.id order by removal.id desc limit 1) as removed_by
    from ${sql.table(kind)} as post where id = ${id} and author_id = ${by.id} and deleted_by = 'staff'`.execute(tx)
  const [own] = rows
  if (!own || own.removed_by === by.staff.id) return
  if (!(await staff.isOnlyHolder(tx, by.staff, 'content.remove'))) throw OwnCase()
}
