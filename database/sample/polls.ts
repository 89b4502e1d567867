import { readFileSync } from 'node:fs'
import { z } from 'zod'

const poll = z.strictObject({
  /** The thread that it comes with. */
  topic: z.string(),
  title: z.string(),
  options: z.array(z.string()),
  maxChoices: z.int().default(1),
  /** The options that members chose, by number from 1. */
  votes: z.record(z.string().regex(/^\w+$/), z.array(z.int().min(1))),
})
export type SamplePoll = z.output<typeof poll>

/** The polls of the sample. */
export function readPolls(): SamplePoll[] {
  return z.array(poll).parse(JSON.parse(readFileSync(new URL('./polls.json', import.meta.url), 'utf8')))
}
