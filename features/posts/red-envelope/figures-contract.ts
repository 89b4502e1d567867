import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { read } from '#base/contract.ts'
import { envelopeKinds } from '#red-envelope/contract.ts'
import { currencies } from '#wallet/contract.ts'

export const figureDays = [7, 30, 90, 365] as const

const Sums = z.object({
  currency: z.enum(currencies),
  /** Opened for others, with the amounts that the givers put in. */
  given: z.number(),
  givenAmount: z.string(),
  /** Shares that members opened. */
  opened: z.number(),
  openedAmount: z.string(),
  /** Envelopes with a remainder that went back. */
  returned: z.number(),
  returnedAmount: z.string(),
})

export const envelopeFigures = read('/admin/redEnvelope/figures', {
  summary:
    'Daily statistics of red envelopes by kind and currency: amounts given, opened and returned, time until fully opened, and openers.',
  input: z.object({
    /** The number of days, up to today. */
    days: z
      .int()
      .refine((days) => (figureDays as readonly number[]).includes(days))
      .default(30),
  }),
  output: z.object({
    timeZone: z.string(),
    /** Money is listed only if the site has it, or it was given. */
    total: z.array(Sums),
    days: z.array(Sums.extend({ day: z.string() })),
    kinds: z.array(
      Sums.extend({
        kind: z.enum(envelopeKinds),
        /** The fully opened ones, and the median seconds until they were. */
        taken: z.number(),
        takenIn: z.number().nullable(),
      }),
    ),
    /** Members who opened a share, and those of them who had registered within the week before. */
    openers: z.number(),
    newOpeners: z.number(),
  }),
})

export const noteFiguresExport = exportOf('/admin/redEnvelope/figures/export')
