import { z } from 'zod'
import { nothing, read } from '#base/contract.ts'

const ReleaseView = z.object({
  version: z.string(),
  /** As YYYY-MM-DD. */
  date: z.string(),
  about: z.string(),
  /** Entries are plain text, with code between backticks. */
  sections: z.array(z.object({ title: z.string(), entries: z.array(z.string()) })),
})
export type ReleaseView = z.infer<typeof ReleaseView>

export const releaseList = read('/admin/release/list', {
  summary: 'The version that runs, and what is new in each release, in the language of the reader.',
  input: nothing,
  output: z.object({ version: z.string(), releases: z.array(ReleaseView) }),
})
