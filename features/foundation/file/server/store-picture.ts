import { createHash } from 'node:crypto'
import type { Db } from '#base/server/database/database.ts'
import type { Upload } from '#base/server/http/route.ts'
import * as contract from '#file/contract.ts'
import { maxFrames, maxMegapixels, pictureNames, type BackdropTone, type Loss, type PictureKind } from '#file/limits.ts'
import { formIn } from '#file/server/archive.ts'
import { kindOf } from '#file/server/kind.ts'
import { newId } from '#file/server/new-id.ts'
import { runTask } from '#file/server/picture-workers.ts'
import type { Crop, Obstacle } from '#file/server/picture.ts'
import { storage } from '#file/server/storage.ts'
import { originalName } from '#file/server/storage-types.ts'
import * as setting from '#setting/server/setting.ts'

/** A stored picture without a row yet. */
export type StoredPicture = {
  id: string
  kind: 'picture' | 'avatar'
  type: string
  width: number
  height: number
  moves: boolean
  ground: BackdropTone | null
  lost: Loss[]
  bytes: number
  sha256: Buffer
}
export type StoredAttachment = { id: string; kind: 'attachment'; name: string; bytes: number; sha256: Buffer }
export type Attachment = { href: string; name: string; bytes: number }

type StoreOptions = { kilobytes: number; /** The uploader, for fair queueing. */ sender: string; crop?: Crop; isMark?: true; id?: string }

/** Re-encodes an upload safely and stores it. With a crop, only that part in the size of an avatar; as a mark, small and lossless. */
export async function storePicture(
  db: Db,
  upload: Pick<Upload, 'bytes'> | null,
  { kilobytes, sender, crop, isMark, id = newId() }: StoreOptions,
): Promise<StoredPicture> {
  if (!upload || upload.bytes.length === 0) throw contract.PictureMissing()
  if (upload.bytes.length > kilobytes * 1024) throw contract.PictureTooLarge({ megabytes: kilobytes / 1000 })
  const { pictureKinds } = await setting.all(db)
  const kind = kindOf(upload.bytes)
  if (!kind || !pictureKinds.includes(kind)) throw contract.PictureOfUnknownKind({ kinds: namesOf(pictureKinds) })
  const result = await runTask(upload.bytes, crop ? { makes: 'avatar', kind, crop } : { makes: isMark ? 'mark' : 'picture', kind }, sender)
  if (typeof result === 'string') throw refusals[result]()

  const { bytes, form, ...its } = result
  const type = `image/${form}`
  await (await storage(db)).put(originalName(id, formIn(type)), bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { id, kind: crop || isMark ? 'avatar' : 'picture', type, ...its, bytes: bytes.length, sha256 }
}

export function namesOf(kinds: readonly PictureKind[]): string {
  return kinds.map((kind) => pictureNames[kind]).join(', ')
}

const refusals: Record<Obstacle, () => Error> = {
  unreadable: () => contract.PictureUnreadable(),
  pixels: () => contract.TooManyPixels({ megapixels: maxMegapixels }),
  frames: () => contract.TooManyFrames({ frames: maxFrames }),
  crop: () => contract.CropOutside(),
  hard: () => contract.PictureTooHard(),
}
