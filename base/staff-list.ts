import { z } from 'zod'
import { id, read, time, type Endpoint } from '#base/contract.ts'
import { listInput, listOutput } from '#base/list.ts'

/** A column or a filter: its schema in a row and in the filters, and how the page shows both. */
export type Field<Row extends z.ZodType = z.ZodType, Filter extends z.ZodType = z.ZodType> = {
  row: Row
  filter: Filter
  shows: 'text' | 'number' | 'time' | 'exactTime' | 'choice' | 'person' | 'yuan' | 'day' | 'since' | 'until' | 'region' | 'other'
  options?: readonly string[]
  /** The key of an option's word, of another catalogue with its name: `paymentAdmin.stripe`; the option itself by default. */
  wordOf?: (option: string) => string
  /** The key of the word for no filter; "Any" by default. */
  any?: string
  /** The key of its label; the name of the column or filter by default. */
  label?: string
  /** Hidden by default. */
  isExtra?: boolean
}

/** A member in a list of staff. */
export const Person = z.object({ id: z.string(), name: z.string() })
export type Person = z.infer<typeof Person>

// Earlier dates are outside the calendar of the site.
const day = z.iso.date().refine((value) => value >= '1970-01-01')
const edge = z.iso.datetime({ offset: true })

export const field = {
  text: { shows: 'text', row: z.string(), filter: z.undefined() },
  number: { shows: 'number', row: z.number(), filter: z.undefined() },
  time: { shows: 'time', row: time, filter: z.undefined() },
  /** A time to the second, in the site's time zone, which its days use. */
  exactTime: { shows: 'exactTime', row: time, filter: z.undefined() },
  person: { shows: 'person', row: Person, filter: id.optional() },
  /** An amount with two decimals. */
  yuan: { shows: 'yuan', row: z.string(), filter: z.undefined() },
  /** Filters by the calendar of the site, both inclusive. */
  days: {
    from: { shows: 'day', row: z.undefined(), filter: day.optional() },
    until: { shows: 'day', row: z.undefined(), filter: day.optional() },
  },
  /** Filters by the calendar of the reader: the start of one day, and the end of another. */
  times: {
    since: { shows: 'since', row: z.undefined(), filter: edge.optional() },
    until: { shows: 'until', row: z.undefined(), filter: edge.optional() },
  },
  choice<const Option extends string>(options: readonly [Option, ...Option[]], wordOf: (option: Option) => string = String) {
    const row = z.enum(options)
    return { shows: 'choice', row, filter: row.optional(), options, wordOf: wordOf as (option: string) => string } as const
  },
  /** A filter whose first option is the default. */
  defaultChoice<const Option extends string>(options: readonly [Option, ...Option[]], wordOf: (option: Option) => string = String) {
    const [any, ...others] = options
    const filter = z.enum(options).default(any as never)
    return {
      shows: 'choice',
      row: z.undefined(),
      filter,
      any: wordOf(any),
      options: others,
      wordOf: wordOf as (option: string) => string,
    } as const
  },
  /** The region of an IP address, as far as known; its label is the same in every list. */
  region: { shows: 'region', row: z.string().nullable(), filter: z.undefined() },
  /** A value that the page shows by a cell of its own. */
  other<Row extends z.ZodType>(row: Row) {
    return { shows: 'other', row, filter: z.undefined() } as const
  },
  /** A column whose value can be missing. */
  orNull<Row extends z.ZodType, Its extends Field<Row>>(its: Its & Field<Row>): Omit<Its, 'row'> & { row: z.ZodNullable<Row> } {
    return { ...its, row: z.nullable(its.row) }
  },
  /** A column that the page composes from other values of the row, or fills with actions. */
  composed: { shows: 'other', row: z.undefined(), filter: z.undefined() },
  /** A filter that takes only such a text. */
  typed<Filter extends z.ZodType>(filter: Filter) {
    return { shows: 'text', row: z.undefined(), filter } as const
  },
  labelled<Its extends Field>(label: string, its: Its): Its {
    return { ...its, label }
  },
  extra<Its extends Field>(its: Its): Its {
    return { ...its, isExtra: true }
  },
} as const satisfies Record<string, unknown>

type FieldSet = Readonly<Record<string, Field>>
type RowShapes<Columns extends FieldSet> = {
  [Name in keyof Columns as Columns[Name]['row'] extends z.ZodUndefined ? never : Name]: Columns[Name]['row']
}
type FilterShapes<Filters extends FieldSet> = { [Name in keyof Filters]: Filters[Name]['filter'] }

/** A list of the administration: the endpoint, with what its page is drawn from. */
export type StaffList<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> = Endpoint<string, In, Out> & {
  columns: FieldSet
  filters: FieldSet
  /** The column of each sort key; null if no column shows it. */
  sorts: Readonly<Record<string, string | null>>
  /** The catalogue of its words. */
  words: string
}

type Options<Columns extends FieldSet, Filters extends FieldSet, Sort extends string, Values extends z.ZodRawShape> = {
  summary: string
  words: string
  columns: Columns
  /** Values of a row that have no column. */
  values?: Values
  filters: Filters & { [Name in keyof Filters]: Filters[Name]['filter'] extends z.ZodUndefined ? never : unknown }
  /** The column of each sort key; null if no column shows it. The first is the default. */
  sorts: Readonly<Record<Sort, (keyof Columns & string) | null>>
  /** The initial order; a queue has its oldest row first. */
  order?: 'asc' | 'desc'
}

/** Declares a list of the administration once: its call, and the columns and filters that its page shows (`base/admin/staff-list.tsx`). */
export function staffList<
  const Path extends string,
  Columns extends FieldSet,
  Filters extends FieldSet,
  const Sort extends string,
  // Each row has an id, so the default adds nothing.
  Values extends z.ZodRawShape = { id: z.ZodString },
>(path: Path, { summary, words, columns, values, filters, sorts, order = 'desc' }: Options<Columns, Filters, Sort, Values>) {
  const shape = filterShape<Filters>(filters)
  const row = z.object({ id: z.string(), ...rowShape(columns), ...(values ?? ({} as Values)) })
  const input = listInput(Object.keys(sorts) as [Sort, ...Sort[]], shape, { order })
  return {
    ...read(path, { summary, input, output: listOutput(row) }),
    row,
    /** The filters alone, for the totals over all that match. */
    filterInput: z.object(shape),
    columns,
    filters: filters as Filters,
    sorts,
    words,
  }
}

function rowShape<Columns extends FieldSet>(columns: Columns): RowShapes<Columns> {
  const rows = Object.entries(columns).flatMap(([name, { row }]) => (row instanceof z.ZodUndefined ? [] : [[name, row] as const]))
  return Object.fromEntries(rows) as RowShapes<Columns>
}

/** The schemas of filters by name. */
function filterShape<Filters extends FieldSet>(filters: Filters): FilterShapes<Filters> {
  return Object.fromEntries(Object.entries(filters).map(([name, { filter }]) => [name, filter])) as FilterShapes<Filters>
}
