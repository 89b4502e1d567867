import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, nothing, page, read, write } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { Conditions, EnvelopeEnded, envelopeKinds, envelopeStates } from '#red-envelope/contract.ts'
import { NameView } from '#role/contract.ts'
import { BooksFrozen, currencies } from '#wallet/contract.ts'

export const endReasons = ['taken', 'expired', 'postGone', 'giverGone', 'stopped', 'tooLittle'] as const
const when = z.iso.datetime()
const Person = z.object({ id: z.string(), name: z.string() })
// Earlier dates are outside the calendar of the site.
const day = z.iso.date().refine((value) => value >= '1970-01-01')

const filters = {
  giver: id.optional(),
  /** A member who opened a share. */
  opener: id.optional(),
  topic: id.optional(),
  kind: z.enum(envelopeKinds).optional(),
  state: z.enum(envelopeStates).optional(),
  currency: z.enum(currencies).optional(),
  /** Days of the site, both inclusive. */
  from: day.optional(),
  until: day.optional(),
}

export const StaffEnvelopeView = z.object({
  id: z.string(),
  giver: Person,
  kind: z.enum(envelopeKinds),
  receiver: Person.nullable(),
  topic: z
    .object({ id: z.string(), title: z.string(), /** The comment that holds the envelope. */ commentId: z.string().nullable() })
    .nullable(),
  /** It belongs to a private message, which staff do not read. */
  isInMessage: z.boolean(),
  currency: z.enum(currencies),
  amount: z.string(),
  quantity: z.number(),
  taken: z.number(),
  takenAmount: z.string(),
  returned: z.string(),
  state: z.enum(envelopeStates),
  endReason: z.enum(endReasons).nullable(),
  at: when,
  endsAt: when.nullable(),
  endedAt: when.nullable(),
})
export type StaffEnvelopeView = z.infer<typeof StaffEnvelopeView>

export const staffEnvelopes = read('/admin/redEnvelope/list', {
  summary: 'Red envelopes, newest first.',
  input: listInput(['at'], filters),
  output: listOutput(StaffEnvelopeView),
})

const Sums = z.object({ points: z.string(), cash: z.string() })
export const staffEnvelopeTotals = read('/admin/redEnvelope/totals', {
  summary: 'Number of red envelopes that match the filters, with the amounts given, opened and returned.',
  input: z.object(filters),
  output: z.object({ count: z.number(), given: Sums, opened: Sums, returned: Sums }),
})

export const noteEnvelopeExport = exportOf('/admin/redEnvelope/export')

export const staffEnvelope = read('/admin/redEnvelope', {
  summary: 'A red envelope with signs of collusion among its openers; amounts of unopened shares are not included.',
  input: z.object({ envelopeId: id }),
  output: StaffEnvelopeView.extend({
    greeting: z.string(),
    conditions: Conditions,
    /** The role of its conditions; null if it was removed. */
    role: NameView.nullable(),
    /** The level of its conditions; null also if no level begins at these points any more. */
    level: NameView.nullable(),
    transactionId: z.string().nullable(),
    returnId: z.string().nullable(),
    /** Counts among the openers. */
    signs: z.object({
      /** Registered within the week before. */
      newAccounts: z.number(),
      /** Registered from a network, or used one at that time, that another opener or the giver used. */
      sameNetwork: z.number(),
      /** Logged in with a browser that another opener or the giver used. */
      sameBrowser: z.number(),
      /** Gave a red envelope to the giver within a month. */
      giveBack: z.number(),
      /** Named together with the giver in an open hint at collusion. */
      inHints: z.number(),
    }),
  }),
})

export const staffShares = read('/admin/redEnvelope/shares', {
  summary: 'Members who opened a share of a red envelope, first opened first.',
  input: z.object({ envelopeId: id, page: page.default(1) }),
  output: z.object({
    shares: z.array(z.object({ member: Person, amount: z.string(), at: when, isPaid: z.boolean(), isBest: z.boolean() })),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
  }),
})

export const stopEnvelope = write('/admin/redEnvelope/stop', {
  summary: 'Ends an open red envelope: opened shares are kept, the remainder returns to the giver, who is notified.',
  input: z.object({ envelopeId: id, reason: plainString.min(1).max(500) }),
  output: nothing,
  errors: [EnvelopeEnded, BooksFrozen],
})
