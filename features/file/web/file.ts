import type { Endpoint, Input, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { useWords, type Say } from '#base/web/words.tsx'
import type { pictureForm, uploadPicture } from '#file/contract.ts'
import { pictureTypes } from '#file/limits.ts'

/** For the `accept` of a file field. */
export const acceptedPictures = pictureTypes.join(',')

export type Uploaded = Output<typeof uploadPicture>
export type Watch = { onProgress?: (part: number) => void; signal?: AbortSignal }

/** Why a picture was not taken, in the person's words. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

/** Sends a picture for a post. Throws `PictureRefused` with words for the person, or the signal's reason when it is called off. */
export function useUploadPicture(): (file: File, watch?: Watch) => Promise<Uploaded> {
  const send = useSendPicture<typeof uploadPicture>('/file/picture')
  return (file, watch = {}) => send(file, {}, watch)
}

/** Sends a picture and what belongs to it: checked here first, so that nobody waits for a refusal that is certain. */
export function useSendPicture<E extends Endpoint>(path: E['path'], mostKilobytes = Infinity) {
  const api = useApi()
  const words = useWords('file')
  return async function send(file: File, fields: Input<E>, watch: Watch = {}): Promise<Output<E>> {
    try {
      const { kilobytes } = await api.read<typeof pictureForm>('/file/pictureForm', {}, { shared: true, silent: true })
      const problem = problemOf(file, Math.min(kilobytes, mostKilobytes), words)
      if (problem) throw new PictureRefused(problem)
      return await api.upload<E>(path, file, fields, { ...watch, silent: true, idempotencyKey: newKey() })
    } catch (error) {
      throw error instanceof CallFailed ? new PictureRefused(error.message || words('notSent')) : error
    }
  }
}

/** What is wrong with a file as far as one sees before sending it. */
export function problemOf(file: { size: number; type: string }, kilobytes: number, words: Say): string | null {
  const isKnown = file.type === '' || pictureTypes.some((type) => type === file.type)
  if (!isKnown) return words('pictureOfUnknownKind')
  if (file.size === 0) return words('pictureMissing')
  return file.size > kilobytes * 1024 ? words('pictureTooLarge', { megabytes: kilobytes / 1000 }) : null
}
