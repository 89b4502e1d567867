import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { PictureNotNew, type uploadTagPicture } from '#tag/contract.ts'
import { largestCroppedKilobytes } from '#user/contract.ts'

// A little more may arrive, so that what is too large is refused in words, at its field.
export const largestBytes = 2 * largestCroppedKilobytes * 1024

export function keep({
  db,
  viewer,
  input,
  upload,
}: PrepareContext<ParsedInput<typeof uploadTagPicture>, Staff>): Promise<file.StoredPicture> {
  return file.keep(db, upload, { kilobytes: largestCroppedKilobytes, crop: input, sender: `staff ${viewer.id}` })
}

export async function add(tx: Db, by: Staff, kept: file.StoredPicture): Promise<Output<typeof uploadTagPicture>> {
  await file.add(tx, by.id, kept)
  return viewOf(kept.id)
}

export function viewOf(fileId: string): Output<typeof uploadTagPicture> {
  return { file: fileId, src: file.srcOf(fileId) }
}

/** From now on a tag shows this picture. Nobody's file becomes everybody's by being named here. */
export async function hold(tx: Db, by: Staff, fileId: string): Promise<void> {
  if (!(await file.holdNew(tx, by.id, fileId))) throw PictureNotNew()
}
