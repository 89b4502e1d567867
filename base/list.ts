import { z } from 'zod'
import { id, refusal } from '#base/contract.ts'

export const pageSizes = [30, 60, 100, 200] as const
/** Counting stops here: a longer list is narrowed by its filters, and an exact count would cost more than it is worth. */
export const countLimit = 1_000
/** Bulk actions on more rows than this ask for the password again. */
export const maxWithoutReauth = 50
// No list of ours has more.
const maxFilters = 50
/** The most rows of one bulk action. */
export const maxBulkRows = 10_000

export const TooManyMatch = refusal('base.tooManyMatch', { field: 'all' })
export const NoneMatch = refusal('base.noneMatch', { field: 'all' })

/** The parameters of a list that change how it is shown and filter nothing. */
export const listParams: readonly string[] = ['sort', 'order', 'size', 'cursor']

/** The input of a list of the administration: its own filters, sort order and page. The first of the sorts is the default. */
export function listInput<const Sort extends string, Filters extends z.ZodRawShape>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
  /** The initial order; a queue has its oldest row first. */
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
    /** The cursor of this page, as the page beside it gave it. */
    cursor: z.string().max(400).optional(),
  })
}

/** A page of rows, with the cursors of the neighbouring pages. `count` stops at `countedTo`. */
export function listOutput<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: z.string().nullable(), previous: z.string().nullable(), count: z.number() })
}

export type Listing<Row> = { rows: Row[]; next: string | null; previous: string | null; count: number }

export type Paging<Sort extends string = string> = { sort: Sort; order: 'asc' | 'desc'; size: number; cursor?: string | undefined }

/** A bulk selection: the rows with these ids; all that match a filter, given as the list's query, when the action runs; or every row. */
export const bulkSelection = {
  ids: z.array(id).min(1).max(maxBulkRows).optional(),
  all: z.record(z.string().max(50), z.string().max(1_000)).meta({ maxProperties: maxFilters }).optional(),
  /** Selecting everything is explicit, because an empty filter may be a mistake. */
  everything: z.boolean().optional(),
}
export const bulkRefusals = [TooManyMatch, NoneMatch] as const
export type BulkSelection = { ids?: string[] | undefined; all?: Record<string, string> | undefined; everything?: boolean | undefined }

/** The filter of a bulk selection; undefined where rows are selected by id. */
export function filterOf({ all, everything }: BulkSelection): Record<string, string> | undefined {
  return everything ? {} : all
}
