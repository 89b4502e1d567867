import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { assistantJobs } from '#assistant/contract.ts'
import { id, read } from '#base/contract.ts'

/** What is counted: the jobs, and tests of models by staff. */
export const usageJobs = [...assistantJobs, 'test'] as const
export type UsageJob = (typeof usageJobs)[number]

const day = z.iso.date()
/** Yuan with four decimals: an answer may cost less than a cent. */
const yuan = z.string()

const Sums = z.object({
  answers: z.number(),
  /** Tokens; cached ones are part of the input. */
  input: z.number(),
  cached: z.number(),
  output: z.number(),
  cost: yuan,
  /** Answers of which the provider did not say what they took. */
  estimated: z.number(),
})
export type UsageSums = z.infer<typeof Sums>

/** From this share of the budget on staff are warned, in hundredths. */
export const warnedFrom = 80

/** `free`: nothing is spent, and only models without a price answer. */
export const budgetStates = ['free', 'under', 'warned', 'stopped'] as const

export const BudgetView = z.object({
  /** As 2026-11. */
  month: z.string(),
  spent: yuan,
  most: yuan,
  /** The spent part of it, in hundredths. */
  share: z.number(),
  state: z.enum(budgetStates),
})
export type BudgetView = z.infer<typeof BudgetView>

/** Days for which it is kept what each answer took. */
export const usageKeptDays = 400

/** Days that are shown at once, and members. */
export const longestDays = 366
export const mostMembers = 50

export const usageView = read('/admin/assistant/usage', {
  summary: 'What the assistant took and cost by day of the site, job, model and member, and how much of the month’s budget is spent.',
  input: z.object({
    /** The current month, where none is named. */
    from: day.optional(),
    until: day.optional(),
    job: z.enum(usageJobs).optional(),
    model: id.optional(),
    member: id.optional(),
  }),
  output: z.object({
    timeZone: z.string(),
    from: z.string(),
    until: z.string(),
    /** What answers took is deleted after so many days; sums of months stay. */
    keptDays: z.number(),
    total: Sums,
    days: z.array(Sums.extend({ day: z.string() })),
    jobs: z.array(Sums.extend({ job: z.enum(usageJobs) })),
    /** Null: removed since, or none answered. */
    models: z.array(Sums.extend({ model: z.object({ id: z.string(), name: z.string(), isStandIn: z.boolean() }).nullable() })),
    /** The members who cost the most, and how many there are in all. */
    members: z.array(Sums.extend({ member: z.object({ id: z.string(), name: z.string() }) })),
    memberCount: z.number(),
    budget: BudgetView,
    /** To choose from. */
    known: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
})

export const noteUsageExport = exportOf('/admin/assistant/usage/export')

/** How the assistant does; null where it is off. */
export const AssistantHealth = z
  .object({
    /** Models that answer members, and how many of them failed again and again. */
    models: z.number(),
    failing: z.number(),
    budget: BudgetView,
  })
  .nullable()
export type AssistantHealth = z.infer<typeof AssistantHealth>
