import { z } from 'zod'
import { id, refusal } from '#base/contract.ts'

export const pageSizes = [30, 60, 100, 200] as const
/** Whoever looks for one among so many narrows the list; counting further would cost more than it tells. */
export const countedTo = 1_000
/** More than these at once ask for the password again. */
export const few = 50
// No list of ours has more.
const mostFilters = 50
/** One deed is done to so many at most. */
export const mostAtOnce = 10_000

export const TooManyMatch = refusal('base.tooManyMatch', { field: 'all' })
export const NoneMatch = refusal('base.noneMatch', { field: 'all' })

/** What a list takes that says how it is shown, and narrows nothing. */
export const listParams: readonly string[] = ['sort', 'order', 'size', 'cursor']

/** What a list of the administration takes: its own filters, and how its rows stand. The first of the sorts is the usual one. */
export function listOf<const Sort extends string, Filters extends z.ZodRawShape>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
  /** How it stands until somebody sorts it: a queue has its oldest first. */
  { order = 'desc' }: { order?: 'asc' | 'desc' } = {},
) {
  return z.object({
    ...filters,
    sort: z.enum(sorts).default(sorts[0] as never),
    order: z.enum(['asc', 'desc']).default(order),
    size: z
      .number()
      .int()
      .refine((size) => (pageSizes as readonly number[]).includes(size))
      .default(pageSizes[0]),
    /** Where this page begins or ends: what the page beside it gave. */
    cursor: z.string().max(400).optional(),
  })
}

/** A page of rows, with the cursors of the pages beside it. `count` goes as far as `countedTo`. */
export function listed<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: z.string().nullable(), previous: z.string().nullable(), count: z.number() })
}

export type Listing<Row> = { rows: Row[]; next: string | null; previous: string | null; count: number }

export type Paging<Sort extends string = string> = { sort: Sort; order: 'asc' | 'desc'; size: number; cursor?: string | undefined }

/** Many of a list: those with these ids; all that it finds at that moment when it is narrowed to this, as its address says it; or all it has. */
export const many = {
  ids: z.array(id).min(1).max(mostAtOnce).optional(),
  all: z.record(z.string().max(50), z.string().max(1_000)).meta({ maxProperties: mostFilters }).optional(),
  /** Said in so many words, for what narrows nothing may be a slip. */
  everything: z.boolean().optional(),
}
export const manyRefusals = [TooManyMatch, NoneMatch] as const
export type Many = { ids?: string[] | undefined; all?: Record<string, string> | undefined; everything?: boolean | undefined }

/** What the list is narrowed to, where not a few are named. */
export function filterOf({ all, everything }: Many): Record<string, string> | undefined {
  return everything ? {} : all
}
