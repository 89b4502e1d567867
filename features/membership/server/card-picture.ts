import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { CardPictureNotNew } from '#membership/contract.ts'
import type { uploadCardPicture } from '#membership/staff-contract.ts'
import { maxCropKilobytes as kilobytes } from '#user/contract.ts'

// Slightly above the limit, so that an oversized picture is refused with a message at its field.
export const largestBytes = 2 * kilobytes * 1024

export function keep(asked: PrepareContext<ParsedInput<typeof uploadCardPicture>, Staff>): Promise<file.StoredPicture> {
  return file.storePicture(asked.db, asked.upload, { kilobytes, crop: asked.input, sender: `staff ${asked.viewer.id}` })
}

export async function add(tx: Db, by: Staff, kept: file.StoredPicture): Promise<Output<typeof uploadCardPicture>> {
  await file.add(tx, by.id, kept)
  return { file: kept.id, src: file.srcOf(kept.id) }
}

/**
 * Makes this picture the card's. Only a fresh upload by the same editor is accepted, so that no other file becomes public through its id.
 */
export async function hold(tx: Db, by: Staff, fileId: string): Promise<void> {
  if (!(await file.markNewUsed(tx, by.id, fileId))) throw CardPictureNotNew()
}
