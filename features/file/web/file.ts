import { useLocale } from 'use-intl/react'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { storedPair } from '#base/web/token.ts'
import { useWords, type Say } from '#base/web/words.tsx'
import type { pictureForm, uploadPicture } from '#file/contract.ts'
import { pictureTypes } from '#file/limits.ts'
import { LineBroken, sendForm, type Heard, type Watch } from '#file/web/send-form.ts'
import { useSite } from '#setting/web/setting.tsx'

/** For the `accept` of a file field. */
export const acceptedPictures = pictureTypes.join(',')

export type Uploaded = Output<typeof uploadPicture>
type Sending = Watch & { fields?: Record<string, number>; mostKilobytes?: number }

/** Why a picture was not taken, in the person's words. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

/** Sends a picture for a post. Throws `PictureRefused` with words for the person, or the signal's reason when it is called off. */
export function useUploadPicture(): (file: File, watch?: Watch) => Promise<Uploaded> {
  const send = useSendPicture<Uploaded>('/file/picture')
  return (file, watch = {}) => send(file, watch)
}

/** Sends a picture and what belongs to it: checked here first, so that nobody waits for a refusal that is certain. */
export function useSendPicture<Answer>(path: string): (file: File, sending: Sending) => Promise<Answer> {
  const api = useApi()
  const words = useWords('file')
  const { apiUrl } = useSite()
  const language = useLocale() === 'zh' ? 'zh-CN' : 'en-US'

  return async function send(file, { fields = {}, mostKilobytes = Infinity, ...watch }) {
    try {
      const { kilobytes } = await limits(api)
      const problem = problemOf(file, Math.min(kilobytes, mostKilobytes), words)
      if (problem) throw new PictureRefused(problem)
      const key = newKey()
      const once = () => sendForm(`${apiUrl}${path}`, formOf(file, fields), headersOf(language, key), watch)
      const heard = await once()
      if (heard.status !== 401) return answerIn(heard, words) as Answer
      await limits(api)
      return answerIn(await once(), words) as Answer
    } catch (error) {
      if (error instanceof LineBroken) throw new PictureRefused(words('lineBroken'))
      throw error instanceof CallFailed ? new PictureRefused(error.message || words('notSent')) : error
    }
  }
}

// An ordinary call, so that a session which is out of date is renewed before the picture is on its way.
function limits(api: Api): Promise<Output<typeof pictureForm>> {
  return api.read<typeof pictureForm>('/file/pictureForm', {}, { silent: true })
}

/** What is wrong with a file as far as one sees before sending it. */
export function problemOf(file: { size: number; type: string }, kilobytes: number, words: Say): string | null {
  const isKnown = file.type === '' || pictureTypes.some((type) => type === file.type)
  if (!isKnown) return words('pictureOfUnknownKind')
  if (file.size === 0) return words('pictureMissing')
  return file.size > kilobytes * 1024 ? words('pictureTooLarge', { megabytes: kilobytes / 1000 }) : null
}

// The numbers go first: the server knows them when the file begins.
function formOf(file: File, fields: Record<string, number>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.set('picture', file)
  return form
}

function headersOf(language: string, key: string): Record<string, string> {
  const pair = storedPair()
  const token = /(?:^|;\s*)cms_token=([^;]+)/.exec(document.cookie)?.[1]
  return {
    'X-Requested-With': 'XMLHttpRequest',
    'Accept-Language': language,
    'Idempotency-Key': key,
    ...(pair && { Authorization: `Bearer ${pair.accessToken},${pair.refreshToken}` }),
    ...(token && { 'BBS-XSRF-TOKEN': token }),
  }
}

function answerIn({ status, body }: Heard, words: Say): unknown {
  if (status === 200) return body
  const said = Object.values(body['error'] ?? {})[0] ?? body['message']
  throw new PictureRefused(typeof said === 'string' ? said : words('notSent'))
}
