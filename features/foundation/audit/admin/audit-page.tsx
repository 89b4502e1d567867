import { useLoaderData } from 'react-router'
import { ActionText, ActorLink, subjectNameKey } from '#audit/admin/audit.tsx'
import { changesBetween, type FormatValue } from '#audit/admin/changes.ts'
import { aboutIn, actionGroups, actionIn, groupIn } from '#audit/admin/action-words.ts'
import { fieldIn, valueIn } from '#audit/admin/field-words.ts'
import { SubjectFilter } from '#audit/admin/subject-filter.tsx'
import { auditLog, noteLogExport } from '#audit/contract.ts'
import { referenceIn } from '#audit/references.ts'
import { FilterChoice } from '#base/admin/filters.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import css from '#audit/admin/audit-page.module.css'

type Data = Output<typeof auditLog>
type AuditEntry = Data['rows'][number]

export function Page() {
  const words = useWords('auditAdmin')
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('log')}</h1>
      <p className="meta">{words('what')}</p>
      <StaffList
        of={auditLog}
        exporting={noteLogExport}
        page={page}
        cells={useCells()}
        filterFields={{ action: <ActionChoice />, about: <SubjectFilter /> }}
      />
    </>
  )
}

function useCells(): CellsOf<typeof auditLog> {
  const say = useTranslate()
  const language = useLanguage()
  return {
    account: { show: (row) => <ActorLink {...row} /> },
    action: { show: ({ action }) => <ActionText action={action} />, text: ({ action }) => actionIn(say, action) },
    code: { show: ({ action }) => <code>{action}</code>, text: ({ action }) => action },
    about: {
      show: ({ about, called }) => about && <Subject about={about} called={called} />,
      text: ({ about, called }) => [about, called?.[language]].filter(Boolean).join(' '),
    },
    change: {
      show: (action) => <Change {...action} />,
      text: ({ before, after, edit }) => JSON.stringify({ before, after, ...(edit && { edit }) }),
    },
  }
}

function Subject({ about, called }: { about: string; called: AuditEntry['called'] }) {
  const { text, to } = aboutIn(useTranslate(), about, useNameOf()(about))
  const language = useLanguage()
  return (
    <>
      {/* A thing without a screen links to its log entries. */}
      <Link to={to ?? `/admin/audit?about=${encodeURIComponent(about)}`}>{text}</Link> <bdi>{called?.[language]}</bdi>
    </>
  )
}

/** The name of an item, resolved by another feature. */
function useNameOf(): (about: string) => string | undefined {
  const say = useTranslate()
  return (about) => {
    const key = subjectNameKey.get()(about)
    return key ? say(key) : undefined
  }
}

/** One action, or all of a group. */
function ActionChoice() {
  const words = useWords('auditAdmin')
  const say = useTranslate()
  const language = useLanguage()
  const groups = [...actionGroups].map(([group, its]) => ({ group, its, name: groupIn(say, group) }))
  return (
    <FilterChoice name="action" label={words('action')}>
      {groups
        .toSorted((one, other) => one.name.localeCompare(other.name, language))
        .map(({ group, its, name }) => (
          <optgroup key={group} label={name}>
            <option value={group}>{words('allOf', { group: name })}</option>
            {its.map((action) => (
              <option key={action} value={action}>
                {actionIn(say, action)}
              </option>
            ))}
          </optgroup>
        ))}
    </FilterChoice>
  )
}

function Change({ edit, ...action }: AuditEntry) {
  const words = useWords('auditAdmin')
  const sayValue = useSayValue(action)
  if (edit) return <EditDiff edit={edit} />
  const changes = changesBetween(action.before, action.after, sayValue)
  if (changes.length === 0) return null
  return (
    <details className={css.change}>
      <summary>{words('change')}</summary>
      <dl>
        {changes.map(({ key, removed, added }) => (
          <div key={key}>
            {key && <dt>{fieldIn(words, key)}</dt>}
            {removed.map((text) => (
              <dd key={text}>
                <del>{text}</del>
              </dd>
            ))}
            {added.map((text) => (
              <dd key={text}>
                <ins>{text}</ins>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Ids are shown by name; rights and times in words. */
function useSayValue({ action, named }: Pick<AuditEntry, 'action' | 'named'>): FormatValue {
  const words = useWords('auditAdmin')
  const say = useTranslate()
  const nameOf = useNameOf()
  const language = useLanguage()
  return (key, value) => {
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no')
    const about = referenceIn(action, key, value)
    const text = String(value)
    const name = about && named.find((one) => one.about === about)?.[language]
    if (name) return name
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(text).toLocaleString(language)
    if (key === 'action') return actionIn(say, text)
    return nameOf(`${action.startsWith('staff') ? 'staffRight' : 'right'} ${text}`) ?? valueIn(words, key, text)
  }
}

/** The changes of an edit of a post. */
function EditDiff({ edit: { isWithheld, isPurged, title, text } }: { edit: NonNullable<AuditEntry['edit']> }) {
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
