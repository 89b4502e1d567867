import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Hand } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import type { addLink, editLink, friendLinks, linkList } from '#link/contract.ts'

export async function shown(db: Db): Promise<Output<typeof friendLinks>> {
  const { links } = await list(db)
  return { links: links.map(({ id, name, url }) => ({ id, name, url })) }
}

export async function list(db: Db): Promise<Output<typeof linkList>> {
  const rows = await db
    .selectFrom('friend_link')
    .select(['id', 'name', 'url', 'sort', 'added_at'])
    .orderBy('sort')
    .orderBy('id')
    .limit(200)
    .execute()
  return { links: rows.map(({ added_at, ...row }) => ({ ...row, addedAt: added_at.toISOString() })) }
}

export async function add(tx: Db, by: Hand, from: From, draft: Taken<typeof addLink>): Promise<{ linkId: string }> {
  const { id } = await tx.insertInto('friend_link').values(draft).returning('id').executeTakeFirstOrThrow()
  await noted(tx, by, from, { deed: 'link.add', about: `link ${id}`, after: draft })
  return { linkId: id }
}

export async function edit(tx: Db, by: Hand, from: From, { linkId, ...draft }: Taken<typeof editLink>): Promise<void> {
  const before = await tx.selectFrom('friend_link').select(['name', 'url', 'sort']).where('id', '=', linkId).forUpdate().executeTakeFirst()
  if (!before) throw Missing()
  await tx.updateTable('friend_link').set(draft).where('id', '=', linkId).execute()
  await noted(tx, by, from, { deed: 'link.edit', about: `link ${linkId}`, before, after: draft })
}

export async function remove(tx: Db, by: Hand, from: From, linkId: string): Promise<void> {
  const before = await tx.deleteFrom('friend_link').where('id', '=', linkId).returning(['name', 'url']).executeTakeFirst()
  if (!before) throw Missing()
  await noted(tx, by, from, { deed: 'link.remove', about: `link ${linkId}`, before })
}

async function noted(tx: Db, by: Hand, from: From, deed: audit.Deed): Promise<void> {
  touch(tx, 'links')
  await audit.note(tx, by, from, deed)
}
