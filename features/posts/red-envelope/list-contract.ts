import { z } from 'zod'
import { id, page, read } from '#base/contract.ts'
import { envelopeKinds, envelopeStates, EnvelopeView, ShareView } from '#red-envelope/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { currencies } from '#wallet/contract.ts'

const when = z.iso.datetime()
const pages = { total: z.number(), page: z.number(), pages: z.number() }
/** The post or message that holds the envelope. */
const place = {
  /** A thread that the reader may see, and the comment in it. */
  topic: z.object({ id: z.string(), title: z.string(), isQuestion: z.boolean(), commentId: z.string().nullable() }).nullable(),
  /** A private message, and the other participant. */
  message: z.object({ id: z.string(), with: z.string() }).nullable(),
}
const EnvelopePlace = z.object(place)
export type EnvelopePlace = z.infer<typeof EnvelopePlace>
const Sums = z.array(z.object({ currency: z.enum(currencies), amount: z.string() }))

export const GivenView = z.object({
  id: z.string(),
  kind: z.enum(envelopeKinds),
  currency: z.enum(currencies),
  amount: z.string(),
  quantity: z.number(),
  taken: z.number(),
  takenAmount: z.string(),
  returned: z.string(),
  state: z.enum(envelopeStates),
  at: when,
  endsAt: when.nullable(),
  ...place,
  receiver: AuthorView.nullable(),
})
export type GivenView = z.infer<typeof GivenView>

export const givenEnvelopes = read('/user/control/giveRedEnvelopeList', {
  summary: 'Red envelopes that the member gave, newest first, with opened and returned amounts and overall totals.',
  input: z.object({ page: page.default(1) }),
  output: z.object({ envelopes: z.array(GivenView), given: Sums, returned: Sums, ...pages }),
})

export const distribution = read('/user/control/redEnvelopeAmountDistributionList', {
  summary: 'One of the member’s red envelopes with the members who opened a share, first opened first.',
  input: z.object({ envelopeId: id, page: page.default(1) }),
  output: z.object({ envelope: GivenView, shares: z.array(ShareView), ...pages }),
})

export const receivedEnvelopes = read('/user/control/receiveRedEnvelopeList', {
  summary: 'Red envelope shares that the member opened, newest first, with overall totals.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    shares: z.array(
      z.object({
        envelopeId: z.string(),
        giver: AuthorView.nullable(),
        kind: z.enum(envelopeKinds),
        currency: z.enum(currencies),
        amount: z.string(),
        at: when,
        isBest: z.boolean(),
        ...place,
      }),
    ),
    received: Sums,
    ...pages,
  }),
})

export const envelopeShares = read('/redEnvelope/shares', {
  summary: 'Openers of a visible red envelope and their amounts, available once the member has opened a share or the envelope has ended.',
  input: z.object({ envelopeId: id, page: page.default(1) }),
  output: z.object({ shares: z.array(ShareView), ...pages }),
})

export const envelopesOfThreads = read('/redEnvelope/ofThread', {
  summary: 'The red envelope attached to a thread. Null if there is none or it was never activated.',
  input: z.object({ topicId: id }),
  output: z.object({ envelope: EnvelopeView.nullable() }),
})
