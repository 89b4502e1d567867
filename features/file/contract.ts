import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'

export const PictureMissing = refusal('file.pictureMissing', { field: 'picture' })
export const PictureTooLarge = refusal('file.pictureTooLarge', { field: 'picture' })
export const PictureOfUnknownKind = refusal('file.pictureOfUnknownKind', { field: 'picture' })
export const PictureUnreadable = refusal('file.pictureUnreadable', { field: 'picture' })
export const TooManyPixels = refusal('file.tooManyPixels', { field: 'picture' })
export const TooManyFrames = refusal('file.tooManyFrames', { field: 'picture' })
export const PictureTooHard = refusal('file.pictureTooHard', { field: 'picture' })
export const CropOutside = refusal('file.cropOutside', { field: 'picture' })
export const TooManyAtWork = refusal('file.tooManyAtWork', { status: 429, field: 'picture' })
/** The place where files lie does not answer, or is full. */
export const StorageAway = refusal('file.storageAway', { status: 503 })
/** An upload that nobody used in time was cleared away. */
export const PictureGone = refusal('file.pictureGone', { field: 'picture' })

/** All the ways a file that somebody sends may be refused. */
export const pictureRefusals = [
  PictureMissing,
  PictureTooLarge,
  PictureOfUnknownKind,
  PictureUnreadable,
  TooManyPixels,
  TooManyFrames,
  PictureTooHard,
  TooManyAtWork,
  StorageAway,
]

export const fileId = z.string().regex(/^f_[\w-]{22}$/)

export const uploadPicture = write('/file/picture', {
  does: 'Takes one picture, as the file of a multipart form. It is cleared away unless a post uses it within two hours.',
  takes: nothing,
  gives: z.object({ file: fileId, src: z.string(), width: z.number(), height: z.number() }),
  refuses: pictureRefusals,
})

export const fileKeys = read('/file/keys', {
  does: 'Keys to files that not everybody may see, for `/file/<id>?key=<key>`: good for the caller alone, for some minutes, while they may see what shows the file.',
  takes: z.object({ files: z.array(fileId).min(1).max(100) }),
  gives: z.object({ keys: z.array(z.object({ file: z.string(), key: z.string() })) }),
})

export const pictureForm = read('/file/pictureForm', {
  does: 'How large a picture this site takes.',
  takes: nothing,
  gives: z.object({ kilobytes: z.number() }),
  shared: true,
})
