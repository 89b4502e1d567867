import { createContext, useContext, useId, useState, type FormEvent, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Combobox, type FindOptions, type Option } from '#base/admin/combobox.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

/** Parameters of the URL that are no filters. */
const listParameters = new Set(['sort', 'order', 'size', 'cursor', 'open'])
/** Parameters that are reset when a filter changes. */
const resetParameters = new Set(['cursor', 'open'])
const FilterContext = createContext(new URLSearchParams())

/** The filter fields of a list; their values are in the URL. */
export function Filters({ children }: { children: ReactNode }) {
  const words = useWords('admin')
  const [params] = useSearchParams()
  const go = useNavigate()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = [...params.keys()].filter((name) => !listParameters.has(name)).length

  function applyFilters(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const query = new URLSearchParams([...params].filter(([name]) => listParameters.has(name) && !resetParameters.has(name)))
    for (const control of event.currentTarget.elements) {
      if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement) || !control.name) continue
      const value = control.dataset['edge'] ? edgeOf(control.value, control.dataset['edge']) : control.value.trim()
      if (value && !(control.type === 'checkbox' && !control.checked)) query.append(control.name, value)
    }
    void go({ search: String(query) })
  }

  return (
    <FilterContext value={params}>
      <button
        type="button"
        className={`button quiet ${css.fold}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {words('filtersWith', { count })}
      </button>
      <form
        key={String(params)}
        id={id}
        role="search"
        aria-label={words('filters')}
        className={css.filters}
        data-folded={!isOpen || undefined}
        onSubmit={applyFilters}
      >
        {children}
        <button className="button quiet">{words('filter')}</button>
        {isFiltered(params) && (
          <button type="button" className="plain" onClick={() => void go({ search: '' })}>
            {words('clearFilters')}
          </button>
        )}
      </form>
    </FilterContext>
  )
}

/** Whether the URL has any filter. */
export function isFiltered(params: URLSearchParams): boolean {
  return [...params.keys()].some((name) => !listParameters.has(name))
}

type FilterField = { name: string; label: string }

export function FilterText({ name, label, example }: FilterField & { /** For fields that accept only one form. */ example?: string }) {
  const id = useId()
  const params = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} defaultValue={params.get(name) ?? ''} placeholder={example} autoComplete="off" />
    </div>
  )
}

type ChoiceProps = FilterField & {
  /** The label of the option without a filter; "Any" by default. */
  any?: string | undefined
  options?: readonly (readonly [value: string, label: string])[]
  /** Options in groups. */
  children?: ReactNode
  onChange?: (value: string) => void
}

/** A filter with a few options. */
export function FilterChoice({ name, label, any, options = [], children, onChange }: ChoiceProps) {
  const words = useWords('admin')
  const id = useId()
  const params = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={params.get(name) ?? ''} onChange={({ target }) => onChange?.(target.value)}>
        <option value="">{any ?? words('any')}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
        {children}
      </select>
    </div>
  )
}

type ComboboxFilterProps = FilterField & {
  placeholder: string
  find: FindOptions<Option>
  known: (id: string) => Option | undefined
  isRemote?: boolean
}

/** A filter with many options, found by typing. */
export function FilterCombobox({ name, label, known, ...props }: ComboboxFilterProps) {
  const id = useId()
  const params = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <Combobox name={name} control={{ id }} initial={known(params.get(name) ?? '')} {...props} />
    </div>
  )
}

/** A filter by day: the start or end of the day in the reader's zone; without `edge`, the site's calendar day. */
export function FilterDay({ name, label, edge }: FilterField & { edge?: 'start' | 'end' }) {
  const id = useId()
  const params = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="date"
        data-edge={edge}
        defaultValue={edge ? dayOf(params.get(name), edge) : (params.get(name) ?? '')}
      />
    </div>
  )
}

function edgeOf(day: string, edge: string): string {
  if (!day) return ''
  const start = new Date(`${day}T00:00`)
  if (edge === 'end') start.setDate(start.getDate() + 1)
  return start.toISOString()
}

function dayOf(params: string | null, edge: string): string {
  const moment = new Date(params ?? '')
  if (Number.isNaN(moment.getTime())) return ''
  if (edge === 'end') moment.setDate(moment.getDate() - 1)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
