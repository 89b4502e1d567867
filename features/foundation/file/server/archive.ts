import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { newId } from '#file/server/new-id.ts'
import { storage } from '#file/server/storage.ts'
import { attachmentName, originalForms, originalName, type OriginalForm, type StoredContent } from '#file/server/storage-types.ts'

export type OwnedFile = { id: string; kind: string; type: string; name: string | null; bytes: number; made_at: Date }
/** A stored archive without a row yet. */
export type StoredArchive = { id: string; kind: 'archive'; name: string; bytes: number; sha256: Buffer }

export function ownedBy(db: Db, ownerId: string): Promise<OwnedFile[]> {
  return db
    .selectFrom('file')
    .select(['id', 'kind', 'type', 'name', 'bytes', 'made_at'])
    .where('owner_id', '=', ownerId)
    .where('kind', '<>', 'archive')
    .orderBy('made_at')
    .orderBy('id')
    .execute()
}

/** The stored file, for its owner; null if it was deleted. */
export async function contentOf(db: Db, { id, kind, type }: Pick<OwnedFile, 'id' | 'kind' | 'type'>): Promise<StoredContent | null> {
  return (await storage(db)).get(kind === 'attachment' ? attachmentName(id) : originalName(id, formIn(type)))
}

export function formIn(type: string): OriginalForm {
  return originalForms.find((form) => type === `image/${form}`) ?? 'webp'
}

/** Stores a local file as an archive. Only its owner can ever read it. */
export async function storeArchive(db: Db, archive: { path: string; name: string; bytes: number; sha256: Buffer }): Promise<StoredArchive> {
  const { path, name, bytes, sha256 } = archive
  const id = newId()
  await (await storage(db)).put(attachmentName(id), { bytes, stream: createReadStream(path) })
  return { id, kind: 'archive', name, bytes, sha256 }
}

/** Inserts the rows of archives. They stay until they are removed. */
export async function addArchives(tx: Db, ownerId: string, archives: readonly StoredArchive[]): Promise<void> {
  const rows = archives.map((one) => ({ ...one, owner_id: ownerId, type: 'application/zip', unused_since: null }))
  await tx.insertInto('file').values(rows).execute()
}

// Rows first, as for all files.
export async function removeArchives(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('file').where('id', '=', anyOf(ids)).where('kind', '=', 'archive').execute()
  const place = await storage(db)
  for (const id of ids) await place.remove(attachmentName(id))
}

/** After the deletion of their owner, archives and unused files are due for the next run of the cleanup job. */
export async function expireOwned(tx: Db, ownerId: string): Promise<void> {
  await tx
    .updateTable('file')
    .set({ unused_since: sql`now() - interval '30 days'` })
    .where('owner_id', '=', ownerId)
    .where((row) => row.or([row('kind', '=', 'archive'), row('unused_since', 'is not', null)]))
    .execute()
}
