import type { Endpoint, Input, Output } from '#base/contract.ts'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { useWords, type Say } from '#base/web/words.tsx'
import type { UploadedAttachment, UploadedPicture, uploadForm, uploadPicture } from '#file/contract.ts'
import { pictureKinds, pictureNames, type PictureKind } from '#file/limits.ts'
import { bringTo } from '#file/web/bring.ts'
import { shrunk } from '#file/web/shrink.ts'
import type { z } from 'zod'

/** For the `accept` of a file field that takes pictures. */
export const acceptedPictures = pictureKinds.map((kind) => `image/${kind}`).join(',')

export type Watch = { onProgress?: (part: number) => void; signal?: AbortSignal }
type Form = Output<typeof uploadForm>

/** Why a file was not taken, in the person's words, and whether it may be taken when it is sent again. */
export class NotTaken extends Error {
  override name = 'NotTaken'
  readonly mayRetry: boolean
  constructor(message: string, mayRetry = false) {
    super(message)
    this.mayRetry = mayRetry
  }
}

/** Sends pictures and files for a post. Throws `NotTaken` with words for the person, or the signal's reason when it is called off. */
export function useSendFiles() {
  const api = useApi()
  const words = useWords('file')

  async function picture(file: File, watch: Watch = {}): Promise<z.output<typeof UploadedPicture>> {
    return inWords(words, async () => {
      const { pictures } = await formOf(api)
      const small = await shrunk(file)
      refuseIf(problemOf(small, pictures, words))
      if (pictures.directBytes === null || small.size <= pictures.directBytes)
        return sendIn<typeof uploadPicture>(api, '/file/picture', small, {}, watch)
      const { picture: made } = await bringTo(api, small, 'picture', watch)
      if (!made) throw new NotTaken(words('notSent'), true)
      return made
    })
  }

  async function attachment(file: File, watch: Watch = {}): Promise<z.output<typeof UploadedAttachment>> {
    return inWords(words, async () => {
      const { attachments } = await formOf(api)
      refuseIf(attachmentProblemOf(file, attachments, words))
      const { attachment: made } = await bringTo(api, file, 'attachment', watch)
      if (!made) throw new NotTaken(words('notSent'), true)
      return made
    })
  }

  /** How many of each a post may hold. */
  async function perPost(): Promise<{ pictures: number; attachments: number }> {
    const { pictures, attachments } = await formOf(api)
    return { pictures: pictures.perPost, attachments: attachments.perPost }
  }

  return { picture, attachment, perPost }
}

/** Sends a picture and what belongs to it: checked here first, so that nobody waits for a refusal that is certain. */
export function useSendPicture<E extends Endpoint>(path: E['path'], mostKilobytes = Infinity) {
  const api = useApi()
  const words = useWords('file')
  return (file: File, fields: Input<E>, watch: Watch = {}): Promise<Output<E>> =>
    inWords(words, async () => {
      const { pictures } = await formOf(api)
      refuseIf(problemOf(file, { ...pictures, kilobytes: Math.min(pictures.kilobytes, mostKilobytes) }, words))
      return sendIn<E>(api, path, file, fields, watch)
    })
}

/** What is wrong with a picture as far as one sees before sending it. */
export function problemOf(
  file: { size: number; type: string },
  { kinds, kilobytes }: Pick<Form['pictures'], 'kinds' | 'kilobytes'>,
  words: Say,
): string | null {
  const isKnown = file.type === '' || kinds.some((kind) => file.type === `image/${kind}`)
  if (!isKnown) return words('pictureOfUnknownKind', { kinds: kinds.map((kind) => pictureNames[kind as PictureKind] ?? kind).join(', ') })
  if (file.size === 0) return words('pictureMissing')
  return file.size > kilobytes * 1024 ? words('pictureTooLarge', { megabytes: kilobytes / 1000 }) : null
}

export function attachmentProblemOf(
  file: { size: number; name: string },
  { kinds, kilobytes }: Form['attachments'],
  words: Say,
): string | null {
  const end = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (!kinds.includes(end)) return words('attachmentOfUnknownKind', { kinds: kinds.join(', ') })
  if (file.size === 0) return words('uploadBroken')
  return file.size > kilobytes * 1024 ? words('attachmentTooLarge', { megabytes: kilobytes / 1000 }) : null
}

function refuseIf(problem: string | null): void {
  if (problem) throw new NotTaken(problem)
}

function formOf(api: BrowserApi): Promise<Form> {
  return api.read<typeof uploadForm>('/file/uploadForm', {}, { shared: true, silent: true })
}

function sendIn<E extends Endpoint>(api: BrowserApi, path: E['path'], file: File, fields: Input<E>, watch: Watch): Promise<Output<E>> {
  return api.upload<E>(path, file, fields, { ...watch, silent: true, idempotencyKey: newKey() })
}

// What the server found wrong with a file is wrong with it the next time too; anything else may have passed by then.
async function inWords<T>(words: Say, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw error instanceof CallFailed
      ? new NotTaken(error.message || words('notSent'), error.status !== 422 && error.status !== 413)
      : error
  }
}
