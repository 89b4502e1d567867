import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'
import { tables, type Kind } from '#kind/contract.ts'

type VersionParams = { kind: Kind; versionId: string; reason: string }

/** Withholds a version from members, or releases it. */
export async function setWithheld(tx: Db, by: Staff, client: ClientInfo, params: VersionParams, isWithheld: boolean): Promise<void> {
  const { kind, versionId, reason } = params
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(`${kind}_id`)} as id from ${sql.table(tables[kind].revisions)}
    where id = ${versionId} and ${writing.wasPublished}`.execute(tx)
  const postId = rows[0]?.id
  if (!postId) throw Missing()
  const { thread } = await posts.lockPost(tx, kind, postId)
  if (!(await writing.withhold(tx, kind, versionId, isWithheld))) return
  invalidate(tx, `topic:${thread.id}`)
  await audit.note(tx, by.staff, client, {
    action: `${kind}.${isWithheld ? 'withhold' : 'show'}`,
    about: `${kind} ${postId}`,
    ...(reason && { reason }),
    after: { revision: versionId },
  })
}
