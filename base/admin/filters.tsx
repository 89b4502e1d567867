import { createContext, useContext, useId, useState, type FormEvent, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { OneOf, type Find, type Option } from '#base/admin/one-of.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/list.module.css'

/** Parameters of the URL that are no filters. */
const ofTheList = new Set(['sort', 'order', 'size', 'cursor', 'open'])
/** Parameters that are reset when a filter changes. */
const ofItsPlace = new Set(['cursor', 'open'])
const FilterContext = createContext(new URLSearchParams())

/** The filter fields of a list; their values are in the URL. */
export function Filters({ children }: { children: ReactNode }) {
  const words = useWords('admin')
  const [asked] = useSearchParams()
  const go = useNavigate()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = [...asked.keys()].filter((name) => !ofTheList.has(name)).length

  function narrow(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const query = new URLSearchParams([...asked].filter(([name]) => ofTheList.has(name) && !ofItsPlace.has(name)))
    for (const control of event.currentTarget.elements) {
      if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement) || !control.name) continue
      const value = control.dataset['edge'] ? edgeOf(control.value, control.dataset['edge']) : control.value.trim()
      if (value && !(control.type === 'checkbox' && !control.checked)) query.append(control.name, value)
    }
    void go({ search: String(query) })
  }

  return (
    <FilterContext value={asked}>
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
        key={String(asked)}
        id={id}
        role="search"
        aria-label={words('filters')}
        className={css.filters}
        data-folded={!isOpen || undefined}
        onSubmit={narrow}
      >
        {children}
        <button className="button quiet">{words('filter')}</button>
        {isNarrowed(asked) && (
          <button type="button" className="plain" onClick={() => void go({ search: '' })}>
            {words('clearFilters')}
          </button>
        )}
      </form>
    </FilterContext>
  )
}

/** Whether the URL has any filter. */
export function isNarrowed(asked: URLSearchParams): boolean {
  return [...asked.keys()].some((name) => !ofTheList.has(name))
}

type Named = { name: string; label: string }

export function FilterText({ name, label, example }: Named & { /** For fields that accept only one form. */ example?: string }) {
  const id = useId()
  const asked = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} defaultValue={asked.get(name) ?? ''} placeholder={example} autoComplete="off" />
    </div>
  )
}

type ChoiceProps = Named & {
  /** The label of the option without a filter. */
  any: string
  options?: readonly (readonly [value: string, label: string])[]
  /** Options in groups. */
  children?: ReactNode
  chose?: (value: string) => void
}

/** A filter with a few options. */
export function FilterChoice({ name, label, any, options = [], children, chose }: ChoiceProps) {
  const id = useId()
  const asked = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={asked.get(name) ?? ''} onChange={({ target }) => chose?.(target.value)}>
        <option value="">{any}</option>
        {options.map(([value, said]) => (
          <option key={value} value={value}>
            {said}
          </option>
        ))}
        {children}
      </select>
    </div>
  )
}

type OneOfProps = Named & { placeholder: string; find: Find<Option>; known: (id: string) => Option | undefined; isFar?: boolean }

/** A filter with many options, found by typing. */
export function FilterOneOf({ name, label, known, ...props }: OneOfProps) {
  const id = useId()
  const asked = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <OneOf name={name} control={{ id }} first={known(asked.get(name) ?? '')} {...props} />
    </div>
  )
}

/** A filter by day: the start or end of the day in the reader's zone; without `edge`, the site's calendar day. */
export function FilterDay({ name, label, edge }: Named & { edge?: 'start' | 'end' }) {
  const id = useId()
  const asked = useContext(FilterContext)
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="date"
        data-edge={edge}
        defaultValue={edge ? dayOf(asked.get(name), edge) : (asked.get(name) ?? '')}
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

function dayOf(asked: string | null, edge: string): string {
  const moment = new Date(asked ?? '')
  if (Number.isNaN(moment.getTime())) return ''
  if (edge === 'end') moment.setDate(moment.getDate() - 1)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
