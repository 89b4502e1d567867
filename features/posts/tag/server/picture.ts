import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { PictureNotNew, type uploadTagPicture } from '#tag/contract.ts'
import { maxCropKilobytes } from '#user/contract.ts'

// The limit of the connection is higher, so that an oversized picture gets a refusal at its field.
export const largestBytes = 2 * maxCropKilobytes * 1024

export function store({
  db,
  viewer,
  input,
  upload,
}: PrepareContext<ParsedInput<typeof uploadTagPicture>, Staff>): Promise<file.StoredPicture> {
  return file.storePicture(db, upload, { kilobytes: maxCropKilobytes, crop: input, sender: `staff ${viewer.id}` })
}

export async function add(tx: Db, by: Staff, picture: file.StoredPicture): Promise<Output<typeof uploadTagPicture>> {
  await file.add(tx, by.id, picture)
  return viewOf(picture.id)
}

export function viewOf(fileId: string): Output<typeof uploadTagPicture> {
  return { file: fileId, src: file.srcOf(fileId) }
}

/** Makes an upload the picture of a tag. Only a new upload by the actor is accepted, so that no private file becomes public by its id. */
export async function assign(tx: Db, by: Staff, fileId: string): Promise<void> {
  if (!(await file.markNewUsed(tx, by.id, fileId))) throw PictureNotNew()
}
