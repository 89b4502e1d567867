import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { NotDeleted } from '#content/contract.ts'
import { closeCases } from '#content/server/close-cases.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

/** Erases a removed post permanently. The audit log keeps the fact and the author. */
export async function purge(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { kind, id, reason }: { kind: Kind; id: string; reason: string },
): Promise<void> {
  const post = await posts.lockPost(tx, kind, id)
  if (post.status !== 'deleted') throw NotDeleted()
  await posts.erase(tx, post)
  await closeCases(tx, by.staff, post)
  await audit.note(tx, by.staff, client, {
    action: `${kind}.purge`,
    about: `${kind} ${id}`,
    ...(reason && { reason }),
    before: { authorId: post.authorId },
  })
}
