import { sql } from 'kysely'
import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as contract from '#file/contract.ts'
import { originalOf } from '#file/server/rendition.ts'
import { pictureSource, type PictureSource } from '#file/server/sources.ts'
import { srcOf } from '#file/server/src.ts'
import { storage } from '#file/server/storage.ts'
import type { Attachment, StoredAttachment, StoredPicture } from '#file/server/store-picture.ts'

export { addArchives, expireOwned, contentOf, storeArchive, ownedBy, removeArchives, type StoredArchive } from '#file/server/archive.ts'
export { addressOfArchive, keysTo, withStaffKeys } from '#file/server/access.ts'
export { iconBytes, keepIcons } from '#file/server/icon.ts'
export { giveTo, storeAsIs, storeAvatarCopy, storeCopy, storedByIds, type StoredFile } from '#file/server/store-copy.ts'
export { namesOf, storePicture, type Attachment, type StoredAttachment, type StoredPicture } from '#file/server/store-picture.ts'
export { newId } from '#file/server/new-id.ts'
export type { PictureSource } from '#file/server/sources.ts'
export { idIn, srcOf } from '#file/server/src.ts'
export { openStorage, setHasStore, storageStatus, tryStorage } from '#file/server/storage.ts'

/** Inserts the row of a file with its owner. While it is unused, it may be deleted. */
export async function add(tx: Db, ownerId: string, stored: StoredPicture | StoredAttachment): Promise<void> {
  await tx
    .insertInto('file')
    .values({ type: 'application/octet-stream', ...stored, owner_id: ownerId })
    .execute()
}

/** The same for another owner, who must exist. */
export async function addFor(tx: Db, ownerId: string, stored: StoredPicture): Promise<void> {
  const owner = await tx.selectFrom('member').select('id').where('id', '=', ownerId).executeTakeFirst()
  if (!owner) throw Missing()
  await add(tx, ownerId, stored)
}

/** The pictures among these that this member owns. */
export async function picturesOf(db: Db, ids: Iterable<string>, ownerId: string): Promise<Map<string, PictureSource>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'width', 'height', 'moves', 'ground'])
    .where('id', '=', anyOf(unique))
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'picture')
    .execute()
  return new Map(
    rows.map(({ id, width, height, ...its }) => [id, pictureSource({ src: srcOf(id), width: width ?? 1, height: height ?? 1, ...its })]),
  )
}

/** The attachments among these that this member owns. */
export async function attachmentsOf(db: Db, ids: Iterable<string>, ownerId: string): Promise<Map<string, Attachment>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'name', 'bytes'])
    .where('id', '=', anyOf(unique))
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'attachment')
    .execute()
  return new Map(rows.map(({ id, name, bytes }) => [id, { href: srcOf(id), name: name ?? '', bytes }]))
}

type FilePlace = { messageId: string } | InThread
type InThread = { topicId: string; commentId?: string | undefined; replyId?: string; /** A hidden part of it. */ partId?: string }

/** Attaches files to a place: they stay, and the place's viewers may see them. Refuses if one was deleted. */
export async function attach(tx: Db, ids: Iterable<string>, place: FilePlace): Promise<void> {
  const uniqueIds = [...new Set(ids)]
  if (uniqueIds.length === 0) return
  await markUsed(tx, uniqueIds)
  await tx
    .insertInto('file_use')
    .values(uniqueIds.map((file_id) => ({ file_id, ...columnsOf(place) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function columnsOf(place: FilePlace) {
  if ('messageId' in place) return { message_id: place.messageId }
  const { topicId: topic_id, commentId: comment_id = null, replyId: reply_id = null, partId: part_id = null } = place
  return { topic_id, comment_id, reply_id, part_id }
}

/** Marks files as used. Refuses if one was deleted. */
export async function markUsed(tx: Db, ids: readonly string[]): Promise<void> {
  const found = await tx.updateTable('file').set({ unused_since: null }).where('id', '=', anyOf(ids)).returning('id').execute()
  if (found.length < ids.length) throw contract.PictureGone()
}

/** The same for a new, unused avatar by this uploader; returns false for any other file. */
export async function markNewUsed(tx: Db, ownerId: string, id: string): Promise<boolean> {
  const marked = await tx
    .updateTable('file')
    .set({ unused_since: null })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'avatar')
    .where('unused_since', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** Postpones the deletion of a member's unused files by this many days. */
export async function postponeExpiry(tx: Db, ownerId: string, ids: readonly string[], days: number): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('file')
    .set({ unused_since: sql`now() + ${days} * interval '1 day'` })
    .where('id', '=', anyOf(ids))
    .where('owner_id', '=', ownerId)
    .where('unused_since', 'is not', null)
    .execute()
}

/** Detaches the files of a place with all below it, but of a comment without its replies; unused files are deleted later. */
export async function detach(tx: Db, { topicId, commentId, replyId }: InThread): Promise<void> {
  const uses = await tx
    .deleteFrom('file_use')
    .where('topic_id', '=', topicId)
    .$if(commentId !== undefined, (query) =>
      query.where('comment_id', '=', commentId ?? '').where('reply_id', 'is not distinct from', replyId ?? null),
    )
    .returning('file_id')
    .execute()
  await releaseUnused(
    tx,
    uses.map(({ file_id }) => file_id),
  )
}

/** Detaches the files of an opening, without those of posts under it. */
export async function detachOpening(tx: Db, topicId: string): Promise<void> {
  const uses = await tx
    .deleteFrom('file_use')
    .where('topic_id', '=', topicId)
    .where('comment_id', 'is', null)
    .where('reply_id', 'is', null)
    .returning('file_id')
    .execute()
  await releaseUnused(
    tx,
    uses.map(({ file_id }) => file_id),
  )
}

/** Detaches the files of messages. */
export async function detachFromMessages(tx: Db, messageIds: readonly string[]): Promise<void> {
  const uses = await tx.deleteFrom('file_use').where('message_id', '=', anyOf(messageIds)).returning('file_id').execute()
  await releaseUnused(
    tx,
    uses.map(({ file_id }) => file_id),
  )
}

/** Marks the files among these that no place uses for later deletion. */
export async function releaseUnused(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('file')
    .set({ unused_since: sql`now()` })
    .where('id', '=', anyOf(ids))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file_use').select('file_id').whereRef('file_use.file_id', '=', 'file.id'))),
    )
    .execute()
}

/** The ids among these that still exist. */
export async function existing(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('file').select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

/** A stored picture, for access other than by its address; null if it was deleted. */
export async function pictureBytes(db: Db, id: string): Promise<{ bytes: Buffer; type: string } | null> {
  const original = await originalOf(await storage(db), id)
  return original && { bytes: original.bytes, type: `image/${original.form}` }
}

/** Marks a file for later deletion, optionally after this many more days. */
export async function release(tx: Db, id: string, days = 0): Promise<void> {
  await tx
    .updateTable('file')
    .set({ unused_since: sql`now() + ${days} * interval '1 day'` })
    .where('id', '=', id)
    .execute()
}

/** The names of formats as a list in a sentence. */
