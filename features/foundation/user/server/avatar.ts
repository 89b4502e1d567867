import { Missing, NotAllowed, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as file from '#file/server/file.ts'
import { maxCropKilobytes, type updateAvatar } from '#user/contract.ts'
import * as user from '#user/server/user.ts'

// A little more than the limit is accepted, so that a larger file is refused in words, at its field.
export const maxBytes = 2 * maxCropKilobytes * 1024

type AvatarResult = Output<typeof updateAvatar>

export async function storeUpload({
  db,
  viewer,
  input,
  upload,
}: PrepareContext<ParsedInput<typeof updateAvatar>, Member>): Promise<file.StoredPicture> {
  if (!viewer.may('avatar.change')) throw NotAllowed()
  return file.storePicture(db, upload, { kilobytes: maxCropKilobytes, crop: input, sender: `member ${viewer.id}` })
}

export async function change(tx: Db, member: Member, picture: file.StoredPicture): Promise<AvatarResult> {
  await file.add(tx, member.id, picture)
  await file.markUsed(tx, [picture.id])
  return setAvatar(tx, member, picture.id)
}

export async function remove(tx: Db, member: Member): Promise<AvatarResult> {
  if (!member.may('avatar.change')) throw NotAllowed()
  return setAvatar(tx, member, null)
}

async function setAvatar(tx: Db, member: Member, fileId: string | null): Promise<AvatarResult> {
  // Locked, so that of two concurrent changes each knows the picture that it replaces.
  const { avatar } = await tx.selectFrom('member').select('avatar').where('id', '=', member.id).forUpdate().executeTakeFirstOrThrow()
  await tx.updateTable('member').set({ avatar: fileId }).where('id', '=', member.id).execute()
  if (avatar) await file.release(tx, avatar)
  invalidate(tx, `member:${member.id}`)
  const author = (await user.authors(tx, [member.id])).get(member.id)
  if (!author) throw Missing()
  return author
}
