import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { envelopeCovers, envelopeKinds } from '#red-envelope/contract.ts'

const account = z.string().regex(/^\w+$/)
const envelope = z.strictObject({
  giver: account,
  kind: z.enum(envelopeKinds),
  /** All of it, of equal shares the one; one of the two. */
  points: z.string().optional(),
  yuan: z.string().optional(),
  quantity: z.int().min(1).default(1),
  /** The thread that it came with. */
  topic: z.string().optional(),
  receiver: account.optional(),
  cover: z.enum(envelopeCovers),
  greeting: z.string().max(150),
  onlyCommented: z.boolean().default(false),
  openedBy: z.array(account),
  /** The rest has been returned. */
  isOver: z.boolean().default(false),
})
export type SampleEnvelope = z.output<typeof envelope>

/** The red envelopes of the sample, in the order in which they are given. */
export function readEnvelopes(): SampleEnvelope[] {
  return z.array(envelope).parse(JSON.parse(readFileSync(new URL('./envelopes.json', import.meta.url), 'utf8')))
}
