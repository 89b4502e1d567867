import type { Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import type { SourceFile } from '#importer/server/source.ts'
import type { StoredForm } from '#importer/server/source-same.ts'
import { memberIds, newIds, record, type ImportContext } from '#importer/server/write/import-context.ts'

type Prepared = { source: SourceFile; stored: file.StoredPicture | file.StoredAttachment | null }

/** Stores files in their final form, without a transaction. */
export async function prepareFiles(context: ImportContext, files: readonly SourceFile[]): Promise<Prepared[]> {
  const known = await newIds(
    context.database.app,
    context,
    'file',
    files.map(({ id }) => id),
  )
  const prepared: Prepared[] = []
  for (const source of files) {
    if (known.has(source.id)) continue
    const bytes = await context.reader.bytesOf(source.path)
    const fault = faultOf(bytes)
    if (fault) context.note(fault, source.path)
    prepared.push({ source, stored: bytes && !fault ? await storeOne(context.database.app, bytes, source) : null })
  }
  return prepared
}

/** Why a file cannot come; null where it can. */
export function faultOf(bytes: Buffer | null): string | null {
  if (!bytes) return 'file that is missing'
  return bytes.length > 0 ? null : 'file that is empty or too large'
}

/** A file of this program stays as it is, whatever another would make of its bytes. */
async function storeOne(db: Db, bytes: Buffer, { id, name, form }: SourceFile): Promise<file.StoredPicture | file.StoredAttachment> {
  const same = form && form.kind !== 'avatar' ? await file.storeAsIs(db, bytes, { ...form, id, name }) : null
  return same ?? file.storeCopy(db, bytes, name)
}

export async function writeFiles(tx: Db, context: ImportContext, files: readonly Prepared[]): Promise<void> {
  const owners = await memberIds(
    tx,
    context,
    files.flatMap(({ source }) => source.ownerId ?? []),
  )
  for (const { source, stored } of files) {
    if (!stored) continue
    await file.add(tx, owners.get(source.ownerId ?? '') ?? context.guestId, stored)
    await record(tx, context, [{ kind: 'file', oldId: source.id, newId: stored.id }])
  }
}

/** The avatar in a file of the old program, or null where there is none that can be read. */
export async function storeAvatar(context: ImportContext, path: string, form?: StoredForm | null): Promise<file.StoredPicture | null> {
  const bytes = await context.reader.bytesOf(path)
  const { app } = context.database
  const id = path.slice(path.lastIndexOf('/') + 1)
  const same = bytes && form?.kind === 'avatar' ? await file.storeAsIs(app, bytes, { ...form, id, name: '' }) : null
  const stored = (same?.kind === 'avatar' ? same : null) ?? (bytes && (await file.storeAvatarCopy(app, bytes)))
  if (!stored) context.note(bytes ? 'avatar that cannot be read' : 'file that is missing', path)
  return stored
}
