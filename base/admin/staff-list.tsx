import { Fragment, type ReactNode } from 'react'
import type { z } from 'zod'
import type { Cell, Column } from '#base/admin/column.tsx'
import { ExactTime, fileTimeText } from '#base/admin/exact-time.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type ListProps } from '#base/admin/list.tsx'
import { maySearchMembers } from '#base/admin/member-search.ts'
import type { Field, Person, StaffList as Declaration } from '#base/staff-list.ts'
import { formatters } from '#base/web/formatters.ts'
import { Link } from '#base/web/link.tsx'
import { useRegion } from '#base/web/region.ts'
import { useLanguage, useTranslate, useWords, type Translate } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

/** A row of a declared list. */
export type RowOf<Of extends Declaration> = z.output<Of['output']> extends { rows: (infer Row extends { id: string })[] } ? Row : never

/** Cells that differ from the kind of their column. A column of the kind `other` needs one. */
export type CellsOf<Of extends Declaration> = { [Name in keyof Of['columns']]?: Cell<RowOf<Of>> } & {
  [Name in keyof Of['columns'] as Of['columns'][Name]['shows'] extends 'other' ? Name : never]: OwnCell<RowOf<Of>>
}
type OwnCell<Row> = Cell<Row> & (Required<Pick<Cell<Row>, 'text'>> | Required<Pick<Cell<Row>, 'time'>> | Required<Pick<Cell<Row>, 'show'>>)

type StaffListProps<Of extends Declaration> = Pick<
  ListProps<RowOf<Of>>,
  'page' | 'bulkActions' | 'requiresReading' | 'called' | 'exporting'
> & {
  of: Of
  cells: CellsOf<Of>
  /** Filter fields that differ from those of their kind; false for none. */
  filterFields?: { [Name in keyof Of['filters']]?: ReactNode }
  /** The members of the current page, for the label of a filter from the URL. */
  people?: readonly (Person | null)[]
  /** Stands below the filters, such as totals. */
  children?: ReactNode
}

/** The page of a declared list: columns and filters as their kinds show them, labelled by its words. */
export function StaffList<Of extends Declaration>({ of, cells, filterFields, people = [], children, ...others }: StaffListProps<Of>) {
  const filters = Object.entries(of.filters)
  return (
    <List
      of={of}
      columns={useDeclaredColumns(of, cells)}
      filters={
        <>
          {filters.length > 0 && (
            <Filters>
              {filters.map(([name, its]) => (
                <Fragment key={name}>
                  {filterFields?.[name] ?? <FilterField name={name} its={its} catalogue={of.words} people={people} />}
                </Fragment>
              ))}
            </Filters>
          )}
          {children}
        </>
      }
      {...others}
    />
  )
}

/** The columns of a declared list, for a page that draws the list itself. */
export function useDeclaredColumns<Of extends Declaration>(of: Of, cells: CellsOf<Of>): Column<RowOf<Of>>[] {
  const words = useWords(of.words)
  const region = useWords('region')
  const texts = { optionWord: useOptionWord(of.words), regionName: useRegion() }
  const own = cells as Record<string, Cell<RowOf<Of>> | undefined>
  return Object.entries(of.columns).map(([name, its]) => ({
    name: Object.keys(of.sorts).find((sort) => of.sorts[sort] === name) ?? name,
    label: its.shows === 'region' ? region('region') : words(its.label ?? name),
    isExtra: its.isExtra ?? false,
    ...cellOf<RowOf<Of>>(name, its, texts),
    ...own[name],
  }))
}

type Texts = { optionWord: Translate; regionName: (region: string | null) => string }

function cellOf<Row>(name: string, { shows, wordOf = String }: Field, { optionWord, regionName }: Texts): Cell<Row> {
  const text = (row: Row) => (row as Record<string, string | null>)[name]
  if (shows === 'other') return {}
  if (shows === 'time') return { time: text }
  if (shows === 'exactTime')
    return { text: (row) => mapped(text(row), fileTimeText), show: (row) => mapped(text(row), (at) => <ExactTime at={at} />) }
  if (shows === 'choice') return { text: (row) => mapped(text(row), (option) => optionWord(wordOf(option))) }
  if (shows === 'yuan') return { text, show: (row) => mapped(text(row), (amount) => <Yuan of={amount} />) }
  if (shows === 'region') return { text: (row) => regionName(text(row) ?? null) }
  if (shows !== 'person') return { text: (row) => mapped(text(row), String) }
  const person = (row: Row) => (row as Record<string, Person | null>)[name]
  return { text: (row) => person(row)?.name, show: (row) => <PersonLink of={person(row)} /> }
}

function mapped<Result>(value: string | null | undefined, map: (value: string) => Result): Result | null {
  return value === null || value === undefined ? null : map(value)
}

/** An amount of yuan as calls return it; a dash for null. */
export function Yuan({ of }: { of: string | null }) {
  const format = formatters.getNumberFormat(useLanguage(), { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' })
  // A number represents the fifteen digits of an account exactly.
  return <span className={css.number}>{of === null ? '–' : format.format(Number(of))}</span>
}

/** The name of a member, with a link for staff who may view members. */
export function PersonLink({ of }: { of: Person | null | undefined }) {
  if (!of) return '–'
  return maySearchMembers.get()() ? <Link to={`/admin/member/view?memberId=${of.id}`}>{of.name}</Link> : of.name
}

/** The words of options, of this catalogue or, by their codes, of others. */
function useOptionWord(catalogue: string): Translate {
  const [words, translate] = [useWords(catalogue), useTranslate()]
  return (key) => (key.includes('.') ? translate(key) : words(key))
}

type FilterFieldProps = { name: string; its: Field; catalogue: string; people: readonly (Person | null)[] }

function FilterField({ name, its: { shows, label: key, any, options = [], wordOf = String }, catalogue, people }: FilterFieldProps) {
  const words = useWords(catalogue)
  const optionWord = useOptionWord(catalogue)
  const label = words(key ?? name)
  if (shows === 'person') return <FilterPerson name={name} label={label} members={people} />
  if (shows === 'day') return <FilterDay name={name} label={label} />
  if (shows === 'since' || shows === 'until') return <FilterDay name={name} label={label} edge={shows === 'since' ? 'start' : 'end'} />
  if (shows !== 'choice') return <FilterText name={name} label={label} />
  const choices = options.map((option) => [option, optionWord(wordOf(option))] as const)
  return <FilterChoice name={name} label={label} any={any && optionWord(any)} options={choices} />
}
