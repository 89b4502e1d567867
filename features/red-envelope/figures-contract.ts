import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { read } from '#base/contract.ts'
import { envelopeKinds } from '#red-envelope/contract.ts'
import { currencies } from '#wallet/contract.ts'

export const figureDays = [7, 30, 90, 365] as const

const Sums = z.object({
  currency: z.enum(currencies),
  /** Red envelopes that opened for others, and what their givers put in. */
  given: z.number(),
  givenAmount: z.string(),
  /** Shares that members opened. */
  opened: z.number(),
  openedAmount: z.string(),
  /** Red envelopes of which something went back. */
  returned: z.number(),
  returnedAmount: z.string(),
})

export const envelopeFigures = read('/admin/redEnvelope/figures', {
  summary:
    'Red envelopes in numbers: what was given, opened and returned by day of the site, by kind and currency, how fast they were taken, and who opened them.',
  input: z.object({
    /** The last so many days. */
    days: z
      .int()
      .refine((days) => (figureDays as readonly number[]).includes(days))
      .default(30),
  }),
  output: z.object({
    timeZone: z.string(),
    /** Of money only where the site has it, or it was given. */
    total: z.array(Sums),
    days: z.array(Sums.extend({ day: z.string() })),
    kinds: z.array(
      Sums.extend({
        kind: z.enum(envelopeKinds),
        /** Of which all was opened, and in how many seconds half of them were. */
        taken: z.number(),
        takenIn: z.number().nullable(),
      }),
    ),
    /** Members who opened a share, and those who had registered within the week before. */
    openers: z.number(),
    newOpeners: z.number(),
  }),
})

export const noteFiguresExport = exportOf('/admin/redEnvelope/figures/export')
