import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { LinkTwice, type addLink, type editLink, type friendLinks, type linkList } from '#link/contract.ts'

export async function publicLinks(db: Db): Promise<Output<typeof friendLinks>> {
  const { links } = await list(db)
  return { links: links.map(({ id, name, url }) => ({ id, name, url })) }
}

export async function list(db: Db): Promise<Output<typeof linkList>> {
  const rows = await db
    .selectFrom('friend_link')
    .select(['id', 'name', 'url', 'sort', 'version', 'added_at'])
    .orderBy('sort')
    .orderBy('id')
    .limit(200)
    .execute()
  return { links: rows.map(({ added_at, ...row }) => ({ ...row, addedAt: added_at.toISOString() })) }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: ParsedInput<typeof addLink>): Promise<{ linkId: string }> {
  await refuseDuplicate(tx, draft.url, null)
  const { id } = await tx.insertInto('friend_link').values(draft).returning('id').executeTakeFirstOrThrow()
  await recordChange(tx, by, client, { action: 'link.add', about: `link ${id}`, after: draft })
  return { linkId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { linkId, version, ...draft }: ParsedInput<typeof editLink>,
): Promise<void> {
  const row = await tx
    .selectFrom('friend_link')
    .select(['name', 'url', 'sort', 'version'])
    .where('id', '=', linkId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  const { version: now, ...before } = row
  await audit.refuseIfChanged(tx, `link ${linkId}`, now, version)
  await refuseDuplicate(tx, draft.url, linkId)
  await tx
    .updateTable('friend_link')
    .set({ ...draft, version: now + 1 })
    .where('id', '=', linkId)
    .execute()
  await recordChange(tx, by, client, { action: 'link.edit', about: `link ${linkId}`, before, after: draft })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, linkId: string): Promise<void> {
  const before = await tx.deleteFrom('friend_link').where('id', '=', linkId).returning(['name', 'url']).executeTakeFirst()
  if (!before) throw Missing()
  await recordChange(tx, by, client, { action: 'link.remove', about: `link ${linkId}`, before })
}

// A table lock serialises writers, so that duplicates cannot be added concurrently.
async function refuseDuplicate(tx: Db, url: string, but: string | null): Promise<void> {
  await sql`lock table friend_link in share row exclusive mode`.execute(tx)
  const same = url.replace(/\/$/, '').toLowerCase()
  const { rows } = await sql<{ name: string }>`select name from friend_link
    where lower(regexp_replace(url, '/$', '')) = ${same} and id is distinct from ${but}::bigint limit 1`.execute(tx)
  if (rows[0]) throw LinkTwice(rows[0])
}

async function recordChange(tx: Db, by: StaffActor, client: ClientInfo, action: audit.AuditEntry): Promise<void> {
  invalidate(tx, 'links')
  await audit.note(tx, by, client, action)
}
