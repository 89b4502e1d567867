import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import type { Block } from '#base/rich-text/document.ts'
import type { BrowserApi } from '#base/web/api.ts'
import type { Translate } from '#base/web/words.tsx'
import type { uploadPicture, uploadPictureAsStaff } from '#file/contract.ts'
import { losses } from '#file/limits.ts'
import { uploadFile, type UploadOptions } from '#file/web/upload-file.ts'
import { sendPersistently } from '#file/web/send-persistently.ts'
import { uploadLimits, UploadRefused, problemOf } from '#file/web/problem.ts'
import { scaleDown } from '#file/web/shrink.ts'

export function sendIn<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  file: File,
  fields: RawInput<E>,
  watch: UploadOptions,
): Promise<Output<E>> {
  const options = { ...watch, silent: true, sendsOnce: true }
  return sendPersistently((idempotencyKey) => api.upload<E>(path, file, fields, { ...options, idempotencyKey }), watch.signal)
}

/** The block for an uploaded file, the address for its preview, and a note on lost properties. */
export type UploadedBlock = { block: Block; src?: string; told?: string }

export async function sendPicture(api: BrowserApi, words: Translate, file: File, watch: UploadOptions): Promise<UploadedBlock> {
  const { pictures } = await uploadLimits(api)
  const { file: small, isSmaller } = await scaleDown(file, pictures.kilobytes * 1024)
  const problem = problemOf(small, pictures, words)
  if (problem) throw new UploadRefused(problem)
  const isDirect = pictures.directBytes !== null && small.size > pictures.directBytes
  const uploaded = isDirect
    ? (await uploadFile(api, small, 'picture', watch)).picture
    : await sendIn<typeof uploadPicture>(api, '/file/picture', small, {}, watch)
  if (!uploaded) throw new UploadRefused(words('notSent'), true)
  return uploadedBlock(uploaded, isSmaller, words)
}

function uploadedBlock(
  { file, src, width, height, lost }: Output<typeof uploadPicture>,
  isSmaller: boolean,
  words: Translate,
): UploadedBlock {
  const all = losses.filter((one) => lost.includes(one) || (one === 'size' && isSmaller))
  const note = all.map((one) => words(lostWords[one], { width, height })).join(' ')
  return { block: { type: 'image', attrs: { file, alt: '', width, height } }, src, ...(note && { told: note }) }
}

const lostWords = { size: 'lostSize', motion: 'lostMotion', depth: 'lostDepth' } as const

/** The same for staff, for a post by this author; null for their own. */
export async function sendPictureAsStaff(
  api: BrowserApi,
  words: Translate,
  file: File,
  authorId: string | null,
  watch: UploadOptions,
): Promise<UploadedBlock> {
  const { pictures } = await uploadLimits(api)
  const { file: small, isSmaller } = await scaleDown(file, pictures.kilobytes * 1024)
  const problem = problemOf(small, pictures, words)
  if (problem) throw new UploadRefused(problem)
  const uploaded = await sendIn<typeof uploadPictureAsStaff>(api, '/admin/file/picture', small, authorId ? { authorId } : {}, watch)
  return uploadedBlock(uploaded, isSmaller, words)
}

export async function sendAttachment(api: BrowserApi, words: Translate, file: File, watch: UploadOptions): Promise<UploadedBlock> {
  const { attachment } = await uploadFile(api, file, 'attachment', watch)
  if (!attachment) throw new UploadRefused(words('notSent'), true)
  return { block: { type: 'file', attrs: attachment } }
}
