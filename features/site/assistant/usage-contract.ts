import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { assistantJobs } from '#assistant/contract.ts'
import { id, read } from '#base/contract.ts'

/** The kinds of usage: jobs, and tests of models by staff. */
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
  /** Answers without usage reported by the provider. */
  estimated: z.number(),
})
export type UsageSums = z.infer<typeof Sums>

/** Staff are warned from this percentage of the budget on. */
export const warnPercent = 80

/** `free`: no budget, so only free models answer. */
export const budgetStates = ['free', 'under', 'warned', 'stopped'] as const

export const BudgetView = z.object({
  /** Such as 2026-11. */
  month: z.string(),
  spent: yuan,
  most: yuan,
  /** The spent part, in percent. */
  share: z.number(),
  state: z.enum(budgetStates),
})
export type BudgetView = z.infer<typeof BudgetView>

/** Retention of the usage of single answers, in days. */
export const usageRetentionDays = 400

/** Maximum number of days in a report, and of members. */
export const maxDays = 366
export const maxMembers = 50

export const usageView = read('/admin/assistant/usage', {
  summary: 'Usage and cost of the assistant by day, job, model and member, and the used share of the month’s budget.',
  input: z.object({
    /** The current month by default. */
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
    /** Single answers are purged after so many days; monthly sums stay. */
    keptDays: z.number(),
    total: Sums,
    days: z.array(Sums.extend({ day: z.string() })),
    jobs: z.array(Sums.extend({ job: z.enum(usageJobs) })),
    /** Null: removed since, or none answered. */
    models: z.array(Sums.extend({ model: z.object({ id: z.string(), name: z.string(), isStandIn: z.boolean() }).nullable() })),
    /** The most expensive members, and the number of all. */
    members: z.array(Sums.extend({ member: z.object({ id: z.string(), name: z.string() }) })),
    memberCount: z.number(),
    budget: BudgetView,
    /** Options of the filter. */
    known: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
})

export const noteUsageExport = exportOf('/admin/assistant/usage/export')

/** The health of the assistant; null while it is off. */
export const AssistantHealth = z
  .object({
    /** Enabled models, and those that failed repeatedly. */
    models: z.number(),
    failing: z.number(),
    budget: BudgetView,
  })
  .nullable()
export type AssistantHealth = z.infer<typeof AssistantHealth>
