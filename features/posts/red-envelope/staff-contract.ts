import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { id, nothing, page, read, time, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { field, Person, staffList } from '#base/staff-list.ts'
import { Conditions, EnvelopeEnded, envelopeKinds, envelopeStates } from '#red-envelope/contract.ts'
import { NameView } from '#role/contract.ts'
import { BooksFrozen, currencies } from '#wallet/contract.ts'

export const endReasons = ['taken', 'expired', 'postGone', 'giverGone', 'stopped', 'tooLittle'] as const

export const kindWords = { random: 'kindRandom', fixed: 'kindFixed', targeted: 'kindTargeted' } as const
export const stateWords = {
  waiting: 'stateWaiting',
  open: 'stateOpen',
  taken: 'stateTaken',
  returned: 'stateReturned',
  dropped: 'stateDropped',
} as const
const envelopeKind = field.choice(envelopeKinds, (name) => kindWords[name])
const state = field.choice(envelopeStates, (name) => stateWords[name])

export const staffEnvelopes = staffList('/admin/redEnvelope/list', {
  summary: 'Red envelopes, newest first.',
  words: 'redEnvelopeAdmin',
  columns: {
    id: field.labelled('number', field.text),
    at: field.time,
    giver: field.person,
    kind: envelopeKind,
    amount: field.text,
    taken: field.labelled('opened', field.number),
    state,
    topic: field.other(
      z
        .object({ id: z.string(), title: z.string(), /** The comment that holds the envelope. */ commentId: z.string().nullable() })
        .nullable(),
    ),
    takenAmount: field.extra(field.labelled('openedAmount', field.text)),
    returned: field.extra(field.text),
    receiver: field.extra(field.orNull(field.person)),
    endsAt: field.extra(field.labelled('ends', field.orNull(field.time))),
  },
  values: {
    /** It belongs to a private message, which staff do not read. */
    isInMessage: z.boolean(),
    currency: z.enum(currencies),
    quantity: z.number(),
    endReason: z.enum(endReasons).nullable(),
    endedAt: time.nullable(),
  },
  filters: {
    giver: field.person,
    /** A member who opened a share. */
    opener: field.person,
    topic: field.labelled('topicId', field.typed(id.optional())),
    kind: envelopeKind,
    state,
    currency: field.choice(currencies, (currency) => (currency === 'points' ? 'inPoints' : 'inCash')),
    ...field.days,
  },
  sorts: { at: 'at' },
})
export type StaffEnvelopeView = z.output<typeof staffEnvelopes.row>

const Sums = z.object({ points: z.string(), cash: z.string() })
export const staffEnvelopeTotals = read('/admin/redEnvelope/totals', {
  summary: 'Number of red envelopes that match the filters, with the amounts given, opened and returned.',
  input: staffEnvelopes.filterInput,
  output: z.object({ count: z.number(), given: Sums, opened: Sums, returned: Sums }),
})

export const noteEnvelopeExport = exportOf('/admin/redEnvelope/export')

export const staffEnvelope = read('/admin/redEnvelope', {
  summary: 'A red envelope with signs of collusion among its openers; amounts of unopened shares are not included.',
  input: z.object({ envelopeId: id }),
  output: staffEnvelopes.row.extend({
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
    shares: z.array(z.object({ member: Person, amount: z.string(), at: time, isPaid: z.boolean(), isBest: z.boolean() })),
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
