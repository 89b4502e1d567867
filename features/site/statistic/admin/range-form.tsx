import { useId, useState, type FormEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { readRange, type RangeErrors } from '#statistic/admin/read-range.ts'
import { ranges, type Range } from '#statistic/contract.ts'
import css from '#statistic/admin/dashboard.module.css'

/** The range of days: the last few, or from one day to another. */
export function RangeForm({ shown }: { shown: Pick<Range, 'first' | 'last' | 'days'> }) {
  const words = useWords('statisticAdmin')
  const [params] = useSearchParams()
  const isOwn = params.has('from') || params.has('to')
  return (
    <>
      <nav className="tabs" aria-label={words('range')}>
        {ranges.map((days) => (
          <Link key={days} to={`/admin/dashboard?days=${days}`} aria-current={!isOwn && shown.days === days ? 'page' : undefined}>
            {words('days', { count: days })}
          </Link>
        ))}
      </nav>
      <OwnRange key={String(params)} shown={shown} />
    </>
  )
}

function OwnRange({ shown: { first, last } }: { shown: Pick<Range, 'first' | 'last'> }) {
  const words = useWords('statisticAdmin')
  const go = useNavigate()
  const [params] = useSearchParams()
  const [wrong, setWrong] = useState(readRange(params).wrong)

  function show(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const days = ['from', 'to'].flatMap((name) => {
      const field = form.elements.namedItem(name)
      return field instanceof HTMLInputElement && field.value ? [[name, field.value]] : []
    })
    const query = new URLSearchParams(days)
    const found = readRange(query).wrong
    setWrong(found)
    const [first] = Object.keys(found)
    if (first === undefined) void go({ search: String(query) })
    else form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  return (
    <form className={css.range} noValidate onSubmit={show} aria-label={words('ownRange')}>
      <Day name="from" label={words('since')} value={params.get('from') ?? first} wrong={wrong} />
      <Day name="to" label={words('until')} value={params.get('to') ?? last} wrong={wrong} />
      <button className="button quiet">{words('showRange')}</button>
    </form>
  )
}

type DayProps = { name: keyof RangeErrors; label: string; value: string; wrong: RangeErrors }

function Day({ name, label, value, wrong }: DayProps) {
  const say = useTranslate()
  const id = useId()
  const message = wrong[name]
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="date"
        defaultValue={value}
        aria-describedby={message && `${id}-wrong`}
        aria-invalid={message && true}
      />
      {message && (
        <p id={`${id}-wrong`} className="wrong" role="alert">
          {say(message.key, message.values)}
        </p>
      )}
    </div>
  )
}
