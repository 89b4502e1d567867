import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import type { Block } from '#base/rich-text/document.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { newKey } from '#base/web/key.ts'
import type { Say } from '#base/web/words.tsx'
import type { uploadPicture, uploadPictureAsStaff } from '#file/contract.ts'
import { losses } from '#file/limits.ts'
import { bringTo, type Watch } from '#file/web/bring.ts'
import { formOf, NotTaken, problemOf } from '#file/web/problem.ts'
import { shrunk } from '#file/web/shrink.ts'

export function sendIn<E extends Endpoint>(
  api: BrowserApi,
  path: E['path'],
  file: File,
  fields: RawInput<E>,
  watch: Watch,
): Promise<Output<E>> {
  return api.upload<E>(path, file, fields, { ...watch, silent: true, idempotencyKey: newKey() })
}

/** The block for an uploaded file, the address for its preview, and a note on lost properties. */
export type Sent = { block: Block; src?: string; told?: string }

export async function sendPicture(api: BrowserApi, words: Say, file: File, watch: Watch): Promise<Sent> {
  const { pictures } = await formOf(api)
  const { file: small, isSmaller } = await shrunk(file, pictures.kilobytes * 1024)
  const problem = problemOf(small, pictures, words)
  if (problem) throw new NotTaken(problem)
  const isDirect = pictures.directBytes !== null && small.size > pictures.directBytes
  const made = isDirect
    ? (await bringTo(api, small, 'picture', watch)).picture
    : await sendIn<typeof uploadPicture>(api, '/file/picture', small, {}, watch)
  if (!made) throw new NotTaken(words('notSent'), true)
  return sentOf(made, isSmaller, words)
}

function sentOf({ file, src, width, height, lost }: Output<typeof uploadPicture>, isSmaller: boolean, words: Say): Sent {
  const all = losses.filter((one) => lost.includes(one) || (one === 'size' && isSmaller))
  const told = all.map((one) => words(lostWords[one], { width, height })).join(' ')
  return { block: { type: 'image', attrs: { file, alt: '', width, height } }, src, ...(told && { told }) }
}

const lostWords = { size: 'lostSize', motion: 'lostMotion', depth: 'lostDepth' } as const

/** The same for staff, for a post by this author; null for their own. */
export async function sendPictureAsStaff(api: BrowserApi, words: Say, file: File, authorId: string | null, watch: Watch): Promise<Sent> {
  const { pictures } = await formOf(api)
  const { file: small, isSmaller } = await shrunk(file, pictures.kilobytes * 1024)
  const problem = problemOf(small, pictures, words)
  if (problem) throw new NotTaken(problem)
  const made = await sendIn<typeof uploadPictureAsStaff>(api, '/admin/file/picture', small, authorId ? { authorId } : {}, watch)
  return sentOf(made, isSmaller, words)
}

export async function sendAttachment(api: BrowserApi, words: Say, file: File, watch: Watch): Promise<Sent> {
  const { attachment } = await bringTo(api, file, 'attachment', watch)
  if (!attachment) throw new NotTaken(words('notSent'), true)
  return { block: { type: 'file', attrs: attachment } }
}
