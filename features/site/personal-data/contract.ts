import { z } from 'zod'
import { fileId } from '#file/contract.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { nothing, read, refusal, write } from '#base/contract.ts'

export const AskedToday = refusal('personalData.askedToday', { status: 429 })

export const DownloadView = z.object({
  id: z.string(),
  askedAt: z.iso.datetime(),
  state: z.enum(['waiting', 'ready', 'failed']),
  expiresAt: z.iso.datetime().nullable(),
  /** Archives, which are opened one by one. */
  files: z.array(z.object({ file: z.string(), name: z.string(), bytes: z.number() })),
})
export type DownloadView = z.infer<typeof DownloadView>

export const personalData = read('/user/control/personalData', {
  summary: 'The member’s data exports, kept for a week, and the earliest time of the next request.',
  input: nothing,
  output: z.object({ downloads: z.array(DownloadView), mayAskAt: z.iso.datetime().nullable() }),
})

export const askForData = write('/user/control/personalData', {
  summary: 'Requests an export of the member’s posts and activity as JSON, with their files. At most once a day.',
  input: nothing,
  output: nothing,
  errors: [AskedToday, ProveAgain],
  availableWhile: 'readOnly',
})

export const openData = write('/user/control/personalData/open', {
  summary: 'Returns a short-lived download URL of an export archive, valid only for this session.',
  input: z.object({ file: fileId }),
  output: z.object({ address: z.string() }),
  errors: [ProveAgain],
  availableWhile: 'readOnly',
})
