import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { CardPictureNotNew } from '#membership/contract.ts'
import type { uploadCardPicture } from '#membership/staff-contract.ts'
import { maxCropKilobytes as kilobytes } from '#user/contract.ts'

// Slightly above the limit, so that an oversized picture is refused with a message at its field.
export const maxBytes = 2 * kilobytes * 1024

export function store(context: PrepareContext<ParsedInput<typeof uploadCardPicture>, Staff>): Promise<file.StoredPicture> {
  return file.storePicture(context.db, context.upload, { kilobytes, crop: context.input, sender: `staff ${context.viewer.id}` })
}

export async function add(tx: Db, by: Staff, stored: file.StoredPicture): Promise<Output<typeof uploadCardPicture>> {
  await file.add(tx, by.id, stored)
  return { file: stored.id, src: file.srcOf(stored.id) }
}

/**
 * Makes this picture the card's. Only a fresh upload by the same editor is accepted, so that no other file becomes public through its id.
 */
export async function attach(tx: Db, by: Staff, fileId: string): Promise<void> {
  if (!(await file.markNewUsed(tx, by.id, fileId))) throw CardPictureNotNew()
}
