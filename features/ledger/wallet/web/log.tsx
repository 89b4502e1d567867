import type { FormEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { isolate } from '#base/direction.ts'
import { pascalCase } from '#base/pascal-case.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import type { Currency, EntryKind } from '#wallet/contract.ts'
import type { EntryView, SubjectView } from '#wallet/log-contract.ts'
import { ruleKey } from '#wallet/web/rule-key.ts'
import { Amount, amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/web/wallet.module.css'

type LogProps = {
  log: { rows: EntryView[]; next: string | null }
  currency: Currency
  /** The kinds to choose from. */ kinds: readonly EntryKind[]
}

export function Log({ log, currency, kinds }: LogProps) {
  const words = useWords('wallet')
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const onward = new URLSearchParams(params)
  if (log.next) onward.set('before', log.next)
  const newest = new URLSearchParams(params)
  newest.delete('before')
  const isNarrowed = params.has('kind') || params.has('day')
  return (
    <section aria-labelledby="log">
      <h2 id="log">{words('log')}</h2>
      <LogFilters kinds={kinds} />
      {log.rows.length === 0 ? (
        <Empty>{words(isNarrowed ? 'noneSo' : 'noneYet')}</Empty>
      ) : (
        <ol className={css.log}>
          {log.rows.map((entry) => (
            <Line key={entry.id} entry={entry} currency={currency} />
          ))}
        </ol>
      )}
      <p className={css.more}>
        {params.has('before') && (
          <Link to={`${pathname}?${newest}`} className="button quiet">
            {words('newest')}
          </Link>
        )}
        {log.next && (
          <Link to={`${pathname}?${onward}`} className="button quiet" rel="next">
            {words('older')}
          </Link>
        )}
      </p>
    </section>
  )
}

function LogFilters({ kinds }: { kinds: readonly EntryKind[] }) {
  const words = useWords('wallet')
  const [params] = useSearchParams()
  const go = useNavigate()

  function narrow(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const filled = new FormData(event.currentTarget)
    const query = new URLSearchParams()
    for (const [name, value] of filled) if (typeof value === 'string' && value) query.set(name, value)
    void go({ search: String(query) })
  }

  return (
    <form key={String(params)} role="search" aria-label={words('narrow')} className={css.filters} onSubmit={narrow}>
      <label>
        {words('kind')}
        <select name="kind" defaultValue={params.get('kind') ?? ''}>
          <option value="">{words('anyKind')}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {words(kindKey(kind))}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words('day')}
        <input name="day" type="date" defaultValue={params.get('day') ?? ''} min="1970-01-01" max="9999-12-31" />
      </label>
      <button className="button quiet">{words('show')}</button>
    </form>
  )
}

const memberships: ReadonlySet<EntryKind> = new Set(['membership', 'membershipRefunded'])

function Line({ entry, currency }: { entry: EntryView; currency: Currency }) {
  const words = useWords('wallet')
  const language = useLanguage()
  const { kind, at, amount, balance, reason, rule, subject } = entry
  const origin = originPath(entry)
  return (
    <li>
      <div>
        <p>
          {origin ? <Link to={origin}>{words(kindKey(kind))}</Link> : words(kindKey(kind))}
          {rule && ` · ${words(ruleKey(rule))}`}
          {subject && (
            <>
              {' · '}
              <Link to={subjectPath(subject)}>{subject.title}</Link>
            </>
          )}
        </p>
        <p className="meta">
          <Time at={at} />
          {reason && ` · ${isolate(reason)}`}
          <Owed entry={entry} currency={currency} />
        </p>
      </div>
      <div>
        <p>
          <Amount of={amount} currency={currency} isMove />
        </p>
        <p className="meta">{words('left', { amount: amountText(balance, currency, language) })}</p>
      </div>
    </li>
  )
}

function Owed({ entry: { owed }, currency }: { entry: EntryView; currency: Currency }) {
  const words = useWords('wallet')
  const language = useLanguage()
  if (Number(owed) === 0) return null
  const amount = amountText(owed.replace('-', ''), currency, language)
  return <> · {words(owed.startsWith('-') ? 'isOwed' : 'paidOwed', { amount })}</>
}

/** The page of an entry's origin that is no post: a card, or a payment. */
function originPath({ kind, paymentNumber }: EntryView): string | null {
  if (paymentNumber) return `/user/control/payment?number=${paymentNumber}`
  return memberships.has(kind) ? '/user/control/membershipCardOrderList' : null
}

export function kindKey(kind: EntryKind): string {
  return `kind${pascalCase(kind)}`
}

export function subjectPath({ threadKind: thread, ...subject }: SubjectView): string {
  return postPath({ ...subject, thread })
}
