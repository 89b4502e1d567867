import { z } from 'zod'

const yuan = z.string().refine((line) => /^[1-9]\d{0,5}$/.test(line), { params: { code: 'setting.noYuan' } })
const cents = z.int().min(1).max(99_999_999)

/** How members top up their balance. What of it is secret lies among the sealed settings. */
export const paymentSettings = {
  /** Without any nobody can pay. The sandbox moves no money: it is for those who try the forum out on its own machine. */
  paymentProviders: { takes: z.array(z.enum(['sandbox'])).max(1), standard: [] as string[] },
  /** Amounts that are offered, in whole yuan. */
  topUpAmounts: { takes: z.array(yuan).max(12), standard: ['10', '30', '50', '100', '200', '500'] },
  minTopUpCents: { takes: cents, standard: 100 },
  maxTopUpCents: { takes: cents, standard: 500_000 },
  maxTopUpCentsPerDay: { takes: cents, standard: 2_000_000 },
  /** The same for those who registered within the last day. */
  maxTopUpCentsOnFirstDay: { takes: cents, standard: 50_000 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
