import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { envelopeCovers, envelopeKinds } from '#red-envelope/contract.ts'

const account = z.string().regex(/^\w+$/)
const envelope = z.strictObject({
  giver: account,
  kind: z.enum(envelopeKinds),
  /** The whole amount, or that of one share if they are equal; either points or yuan. */
  points: z.string().optional(),
  yuan: z.string().optional(),
  quantity: z.int().min(1).default(1),
  /** The thread with the envelope. */
  topic: z.string().optional(),
  receiver: account.optional(),
  cover: z.enum(envelopeCovers),
  greeting: z.string().max(150),
  onlyCommented: z.boolean().default(false),
  openedBy: z.array(account),
  /** Ended, with the rest returned. */
  isOver: z.boolean().default(false),
})
export type SampleEnvelope = z.output<typeof envelope>

/** The red envelopes of the sample, in order. */
export function readEnvelopes(): SampleEnvelope[] {
  return z.array(envelope).parse(JSON.parse(readFileSync(new URL('./envelopes.json', import.meta.url), 'utf8')))
}
