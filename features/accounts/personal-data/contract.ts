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
  summary: 'What I asked for of all that is mine: archives, for a week after they were made; and from when I may ask again.',
  input: nothing,
  output: z.object({ downloads: z.array(DownloadView), mayAskAt: z.iso.datetime().nullable() }),
})

export const askForData = write('/user/control/personalData', {
  summary: 'Has archives made of all that is mine: what I wrote and did here as JSON, and my files. Once a day.',
  input: nothing,
  output: nothing,
  errors: [AskedToday, ProveAgain],
  availableWhile: 'readOnly',
})

export const openData = write('/user/control/personalData/open', {
  summary: 'Gives the address where an archive of mine can be fetched for some minutes, while this session lasts.',
  input: z.object({ file: fileId }),
  output: z.object({ address: z.string() }),
  errors: [ProveAgain],
  availableWhile: 'readOnly',
})
