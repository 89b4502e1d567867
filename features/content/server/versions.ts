import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import { lock } from '#content/server/deeds.ts'
import type { Kind } from '#content/views.ts'

type Wish = { kind: Kind; versionId: string; reason: string }

/** Keeps a version from members that they might read, or lets them read it again. */
export async function keepFromMembers(tx: Db, by: Staff, from: From, wish: Wish, isKept: boolean): Promise<void> {
  const { kind, versionId, reason } = wish
  const { rows } = await sql<{ id: string }>`
    select ${ofPost(kind)} as id from ${revisions(kind)} where id = ${versionId} and (not is_withheld or withheld_at is not null)`.execute(
    tx,
  )
  const postId = rows[0]?.id
  if (!postId) throw Missing()
  await lock(tx, kind, postId)
  if (!(await turn(tx, kind, versionId, isKept))) return
  touch(tx, `topic:${await topicOf(tx, kind, postId)}`)
  await audit.note(tx, by.staff, from, {
    deed: `${kind}.${isKept ? 'withhold' : 'show'}`,
    about: `${kind} ${postId}`,
    ...(reason && { reason }),
    after: { revision: versionId },
  })
}

/** The version that an edit has just put away, kept from members where that is wished; none of what was not on the page yet. */
export async function putAway(tx: Db, kind: Kind, postId: string, isKept: boolean): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from ${revisions(kind)} where ${ofPost(kind)} = ${postId} order by id desc limit 1`.execute(tx)
  const versionId = rows[0]?.id ?? null
  if (versionId && isKept) await turn(tx, kind, versionId, true)
  return versionId
}

async function turn(tx: Db, kind: Kind, versionId: string, isKept: boolean): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${revisions(kind)} set is_withheld = ${isKept}, withheld_at = ${isKept ? sql`clock_timestamp()` : null}
    where id = ${versionId} and is_withheld <> ${isKept}`.execute(tx)
  return numAffectedRows > 0n
}

async function topicOf(tx: Db, kind: Kind, postId: string): Promise<string> {
  if (kind === 'topic') return postId
  return (await tx.selectFrom(kind).select('topic_id').where('id', '=', postId).executeTakeFirstOrThrow()).topic_id
}

function revisions(kind: Kind) {
  return sql.table(`${kind}_revision`)
}

function ofPost(kind: Kind) {
  return sql.ref(`${kind}_id`)
}
