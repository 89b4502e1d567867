import { useLoaderData } from 'react-router'
import { DeedText, keyOfName } from '#audit/admin/audit.tsx'
import { aboutIn, deedGroups, deedIn, groupIn } from '#audit/admin/deed-words.ts'
import { auditLog } from '#audit/contract.ts'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useSay, useWords, type Say } from '#base/web/words.tsx'
import css from '#audit/admin/audit-page.module.css'

type Data = Output<typeof auditLog>
type Deed = Data['rows'][number]

export function Page() {
  const words = useWords('auditAdmin')
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('log')}</h1>
      <p className="meta">{words('what')}</p>
      <List
        of={auditLog}
        page={page}
        columns={columnsIn(words, useLanguage())}
        filters={
          <Filters>
            <FilterText name="account" label={words('account')} />
            <DeedChoice />
            <FilterText name="about" label={words('about')} example={words('aboutExample')} />
            <FilterDay name="since" label={words('since')} edge="start" />
            <FilterDay name="until" label={words('until')} edge="end" />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Say, language: 'zh' | 'en'): Column<Deed>[] {
  return [
    { name: 'at', label: words('at'), show: ({ at }) => <Time at={at} />, text: ({ at }) => at },
    { name: 'account', label: words('account'), show: ({ account }) => account, text: ({ account }) => account },
    { name: 'deed', label: words('deed'), show: ({ deed }) => <DeedText deed={deed} />, text: ({ deed }) => deedIn(words, deed) },
    { name: 'code', label: words('code'), show: ({ deed }) => <code>{deed}</code>, text: ({ deed }) => deed, isExtra: true },
    {
      name: 'about',
      label: words('about'),
      show: ({ about, called }) => about && <About about={about} called={called} />,
      text: ({ about, called }) => [about, called?.[language]].filter(Boolean).join(' '),
    },
    { name: 'reason', label: words('reason'), show: ({ reason }) => reason, text: ({ reason }) => reason ?? '' },
    {
      name: 'change',
      label: words('change'),
      show: (deed) => <Change {...deed} />,
      text: ({ before, after, edit }) => JSON.stringify({ before, after, ...(edit && { edit }) }),
    },
    { name: 'ip', label: words('ip'), show: ({ ip }) => ip, text: ({ ip }) => ip, isExtra: true },
  ]
}

function About({ about, called }: { about: string; called: Deed['called'] }) {
  const words = useWords('auditAdmin')
  const { text, to } = aboutIn(words, about, useNameOf()(about))
  const language = useLanguage()
  return (
    <>
      {/* Without a screen of its own, all that was done to it. */}
      <Link to={to ?? `/admin/audit?about=${encodeURIComponent(about)}`}>{text}</Link> {called?.[language]}
    </>
  )
}

/** What another feature calls it. */
function useNameOf(): (about: string) => string | undefined {
  const say = useSay()
  return (about) => {
    const key = keyOfName.get()(about)
    return key ? say(key) : undefined
  }
}

/** One deed, or all of a kind. */
function DeedChoice() {
  const words = useWords('auditAdmin')
  return (
    <FilterChoice name="deed" label={words('deed')}>
      <option value="">{words('everyDeed')}</option>
      {[...deedGroups].map(([group, its]) => (
        <optgroup key={group} label={groupIn(words, group)}>
          <option value={group}>{words('allOf', { group: groupIn(words, group) })}</option>
          {its.map((deed) => (
            <option key={deed} value={deed}>
              {deedIn(words, deed)}
            </option>
          ))}
        </optgroup>
      ))}
    </FilterChoice>
  )
}

function Change({ before, after, edit }: Pick<Deed, 'before' | 'after' | 'edit'>) {
  const words = useWords('auditAdmin')
  if (edit) return <Edit edit={edit} />
  if (before === null && after === null) return null
  return (
    <details className={css.change}>
      <summary>{words('change')}</summary>
      {before !== null && <Side title={words('before')} value={before} />}
      {after !== null && <Side title={words('after')} value={after} />}
    </details>
  )
}

/** What an edit changed in a post. */
function Edit({ edit: { isWithheld, isPurged, title, text } }: { edit: NonNullable<Deed['edit']> }) {
  const words = useWords('auditAdmin')
  if (isWithheld || isPurged) return <span className="meta">{words(isPurged ? 'editPurged' : 'editWithheld')}</span>
  if (!title && !text) return <span className="meta">{words('sameWords')}</span>
  return (
    <div className={css.edit}>
      {title && <Passage of={words('title')} {...title} />}
      {text && <Passage of={words('text')} {...text} />}
    </div>
  )
}

function Passage({ of, before, after }: { of: string; before: string; after: string }) {
  return (
    <p>
      <span className="meta">{of}</span>
      {before && <del>{before}</del>}
      {after && <ins>{after}</ins>}
    </p>
  )
}

function Side({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <strong>{title}</strong>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </>
  )
}
