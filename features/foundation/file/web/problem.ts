import type { Output } from '#base/contract.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import type { Translate } from '#base/web/words.tsx'
import type { uploadForm } from '#file/contract.ts'
import { pictureNames, type PictureKind } from '#file/limits.ts'

type UploadLimits = Output<typeof uploadForm>

/** The refusal of a file in the user's language, and whether a retry makes sense. */
export class UploadRefused extends Error {
  override name = 'NotTaken'
  readonly mayRetry: boolean
  constructor(message: string, mayRetry = false) {
    super(message)
    this.mayRetry = mayRetry
  }
}

export function uploadLimits(api: BrowserApi): Promise<UploadLimits> {
  return api.read<typeof uploadForm>('/file/uploadForm', {}, { shared: true, silent: true })
}

/** The problem of a picture, as far as it is known before upload. */
export function problemOf(
  file: { size: number; type: string },
  { kinds, kilobytes }: Pick<UploadLimits['pictures'], 'kinds' | 'kilobytes'>,
  words: Translate,
): string | null {
  const isKnown = file.type === '' || kinds.some((kind) => file.type === `image/${kind}`)
  if (!isKnown) return words('pictureOfUnknownKind', { kinds: kinds.map((kind) => pictureNames[kind as PictureKind] ?? kind).join(', ') })
  if (file.size === 0) return words('pictureMissing')
  return file.size > kilobytes * 1024 ? words('pictureTooLarge', { megabytes: kilobytes / 1000 }) : null
}

export function attachmentProblemOf(
  file: { size: number; name: string },
  { kinds, kilobytes }: UploadLimits['attachments'],
  words: Translate,
): string | null {
  const end = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (!kinds.includes(end)) return words('attachmentOfUnknownKind', { kinds: kinds.join(', ') })
  if (file.size === 0) return words('uploadBroken')
  return file.size > kilobytes * 1024 ? words('attachmentTooLarge', { megabytes: kilobytes / 1000 }) : null
}

/** A refusal by the server would be repeated; any other failure may be temporary. */
export async function withReadableError<T>(words: Translate, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw error instanceof CallFailed
      ? new UploadRefused(error.message || words('notSent'), error.status !== 422 && error.status !== 413)
      : error
  }
}
