import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { Banned } from '#role/contract.ts'
import { grounds, largestAttachmentKilobytes, losses } from '#file/limits.ts'

export const PictureMissing = refusal('file.pictureMissing', { field: 'picture' })
export const PictureTooLarge = refusal('file.pictureTooLarge', { field: 'picture' })
export const PictureOfUnknownKind = refusal('file.pictureOfUnknownKind', { field: 'picture' })
export const PictureUnreadable = refusal('file.pictureUnreadable', { field: 'picture' })
export const TooManyPixels = refusal('file.tooManyPixels', { field: 'picture' })
export const TooManyFrames = refusal('file.tooManyFrames', { field: 'picture' })
export const PictureTooHard = refusal('file.pictureTooHard', { field: 'picture' })
export const CropOutside = refusal('file.cropOutside', { field: 'picture' })
export const TooManyAtWork = refusal('file.tooManyAtWork', { status: 429, field: 'picture' })
export const StorageAway = refusal('file.storageAway', { status: 503 })
/** The upload was deleted because it remained unused. */
export const PictureGone = refusal('file.pictureGone', { field: 'picture' })

export const AttachmentTooLarge = refusal('file.attachmentTooLarge')
export const AttachmentOfUnknownKind = refusal('file.attachmentOfUnknownKind')
export const AttachmentNotAsNamed = refusal('file.attachmentNotAsNamed')
export const TooManyUploads = refusal('file.tooManyUploads', { status: 429 })
/** The announced file did not arrive, or is not the one that was announced. */
export const UploadBroken = refusal('file.uploadBroken')
/** The upload expired, or is not this member's. */
export const UploadGone = refusal('file.uploadGone')

/** All refusals of an uploaded picture. */
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

/** The background that a partly transparent picture needs. */
export const ground = z.enum(grounds)

export const fileId = z.string().regex(/^f_[\w-]{22}$/)

export const UploadedPicture = z.object({
  file: z.string(),
  src: z.string(),
  width: z.number(),
  height: z.number(),
  /** The properties that were lost. */
  lost: z.array(z.enum(losses)),
})
export const UploadedAttachment = z.object({ file: z.string(), name: z.string(), bytes: z.number() })

export const uploadPicture = write('/file/picture', {
  summary: 'Uploads a picture as the part `file` of a multipart form. An unused upload is deleted after a while.',
  input: nothing,
  output: UploadedPicture,
  errors: [...pictureRefusals, Banned],
})

export const uploadPictureAsStaff = write('/admin/file/picture', {
  summary:
    'Uploads a picture for a post by staff. It belongs to the author of the post or, without one, to the staff account’s official member.',
  input: z.object({ authorId: id.optional() }),
  output: UploadedPicture,
  errors: pictureRefusals,
})

export const beginUpload = write('/file/begin', {
  summary: 'Starts an upload. The client sends the bytes by PUT to the returned URL with the returned headers, then calls `/file/finish`.',
  input: z.object({
    kind: z.enum(['picture', 'attachment']),
    name: z.string().min(1).max(255),
    bytes: z
      .int()
      .min(1)
      .max(largestAttachmentKilobytes * 1024),
  }),
  output: z.object({ file: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  errors: [PictureTooLarge, AttachmentTooLarge, AttachmentOfUnknownKind, TooManyUploads, StorageAway, Banned],
})

export const finishUpload = write('/file/finish', {
  summary: 'Finishes an upload: checks the bytes and creates a picture or an attachment. An unused upload is deleted after a while.',
  input: z.object({ file: fileId, sha256: z.hex().length(64).optional() }),
  output: z.object({ picture: UploadedPicture.nullable(), attachment: UploadedAttachment.nullable() }),
  errors: [...pictureRefusals, AttachmentOfUnknownKind, AttachmentNotAsNamed, UploadBroken, UploadGone, Banned],
})

export const fileKeys = read('/file/keys', {
  summary:
    'Short-lived keys to restricted files, for `/file/<id>?key=<key>`. Valid only for the caller, and only while they can see the post.',
  input: z.object({ files: z.array(fileId).min(1).max(100) }),
  output: z.object({ keys: z.array(z.object({ file: z.string(), key: z.string() })) }),
})

export const fileKeysForStaff = read('/admin/file/keys', {
  summary: 'Short-lived keys to files in posts of every state.',
  input: fileKeys.input,
  output: fileKeys.output,
})

export const uploadForm = read('/file/uploadForm', {
  summary: 'Accepted kinds, sizes and numbers of pictures and attachments. Pictures above `directBytes` are uploaded by `/file/begin`.',
  input: nothing,
  output: z.object({
    pictures: z.object({ kinds: z.array(z.string()), kilobytes: z.number(), perPost: z.number(), directBytes: z.number().nullable() }),
    attachments: z.object({ kinds: z.array(z.string()), kilobytes: z.number(), perPost: z.number() }),
  }),
  shared: true,
})
