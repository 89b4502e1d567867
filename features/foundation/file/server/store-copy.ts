import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { Refusal } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { fileNameFrom } from '#file/server/file-name.ts'
import { storePicture, type Attachment, type StoredAttachment, type StoredPicture } from '#file/server/store-picture.ts'
import { kindOf } from '#file/server/kind.ts'
import { newId } from '#file/server/new-id.ts'
import { pictureSource, type PictureSource } from '#file/server/sources.ts'
import { srcOf } from '#file/server/src.ts'
import { storage } from '#file/server/storage.ts'
import { attachmentName, isOurs, originalForms, originalName } from '#file/server/storage-types.ts'

const maxKilobytes = 1_000_000
const sender = 'copies'

/** Stores a file from another program: a picture made safe as any upload; everything else, of whatever kind, for download under its name. */
export async function storeCopy(db: Db, bytes: Buffer, name: string): Promise<StoredPicture | StoredAttachment> {
  return (kindOf(bytes) && (await pictureOf(db, bytes))) || attachmentOf(db, bytes, name)
}

type FileAsIs = {
  id: string
  name: string
  kind: 'picture' | 'avatar' | 'attachment'
  type: string
  width: number | null
  height: number | null
  moves: boolean
  ground: StoredPicture['ground']
}

/**
 * Stores a file that this program stored before, in another forum: a picture under its id if no other file has it, without rendering it once
 * more. Null for a picture that is not what it is said to be.
 */
export async function storeAsIs(db: Db, bytes: Buffer, its: FileAsIs): Promise<StoredPicture | StoredAttachment | null> {
  const { kind, type, width, height, moves, ground } = its
  const there = await db.selectFrom('file').select('id').where('id', '=', its.id).executeTakeFirst()
  const id = there || !isOurs(originalName(its.id)) ? newId() : its.id
  if (kind === 'attachment') return attachmentOf(db, bytes, its.name, id)
  const form = originalForms.find((one) => type === `image/${one}` && kindOf(bytes) === one)
  const size = form && (await sizeOf(bytes))
  if (!form || !size || size.width !== width || size.height !== height) return null
  await (await storage(db)).put(originalName(id, form), bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { id, kind, type, width, height, moves, ground, lost: [], bytes: bytes.length, sha256 }
}

function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | null> {
  return sharp(bytes)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => null)
}

/** The middle of a picture as an avatar; null if it is none that can be read. */
export async function storeAvatarCopy(db: Db, bytes: Buffer): Promise<StoredPicture | null> {
  if (!kindOf(bytes)) return null
  const size = await sizeOf(bytes)
  if (!size) return null
  const side = Math.min(size.width, size.height)
  const crop = { x: Math.floor((size.width - side) / 2), y: Math.floor((size.height - side) / 2), width: side, height: side }
  return pictureOf(db, bytes, crop)
}

async function pictureOf(
  db: Db,
  bytes: Buffer,
  crop?: { x: number; y: number; width: number; height: number },
): Promise<StoredPicture | null> {
  try {
    return await storePicture(db, { bytes }, { kilobytes: maxKilobytes, sender, ...(crop && { crop }) })
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function attachmentOf(db: Db, bytes: Buffer, name: string, id = newId()): Promise<StoredAttachment> {
  await (await storage(db)).put(attachmentName(id), bytes)
  return { id, kind: 'attachment', name: fileNameFrom(name), bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

export type StoredFile = {
  id: string
  kind: 'picture' | 'attachment'
  name: string | null
  width: number | null
  height: number | null
  bytes: number
  picture: PictureSource | null
  attachment: Attachment | null
}

/** Pictures and attachments by their ids, whoever owns them, with what a page needs to show them. */
export async function storedByIds(db: Db, ids: readonly string[]): Promise<Map<string, StoredFile>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'kind', 'name', 'width', 'height', 'bytes', 'moves', 'ground'])
    .where('id', '=', anyOf(ids))
    .where('kind', 'in', ['picture', 'attachment'])
    .execute()
  return new Map(
    rows.map(({ moves, ground, ...its }) => {
      const isPicture = its.kind === 'picture'
      const picture = isPicture
        ? pictureSource({ src: srcOf(its.id), width: its.width ?? 1, height: its.height ?? 1, moves, ground })
        : null
      const attachment = isPicture ? null : { href: srcOf(its.id), name: its.name ?? '', bytes: its.bytes }
      return [its.id, { ...its, kind: isPicture ? 'picture' : 'attachment', picture, attachment }]
    }),
  )
}

/** Gives files to the author of the post that shows them, who may edit it later. */
export async function giveTo(tx: Db, ownerId: string, ids: readonly string[]): Promise<void> {
  await tx.updateTable('file').set({ owner_id: ownerId }).where('id', '=', anyOf(ids)).execute()
}
