import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { aboutKinds, kindIn } from '#audit/admin/action-words.ts'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'

/** Filters by subject: its kind, and its id or name. */
export function SubjectFilter() {
  const words = useWords('auditAdmin')
  const any = useWords('admin')('any')
  const say = useTranslate()
  const language = useLanguage()
  const ids = { kind: useId(), which: useId() }
  const [params] = useSearchParams()
  const [first = '', ...rest] = (params.get('about') ?? '').split(' ')
  const [kind, setKind] = useState(first)
  const [which, setWhich] = useState(rest.join(' '))
  const kinds = aboutKinds.map((one) => ({ kind: one, name: kindIn(say, one) }))
  return (
    <>
      <div>
        <label htmlFor={ids.kind}>{words('about')}</label>
        <select id={ids.kind} value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">{any}</option>
          {kinds
            .toSorted((one, other) => one.name.localeCompare(other.name, language))
            .map(({ kind: one, name }) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
        </select>
      </div>
      {kind && (
        <div>
          <label htmlFor={ids.which}>{words('which')}</label>
          <input id={ids.which} value={which} required autoComplete="off" onChange={({ target }) => setWhich(target.value)} />
        </div>
      )}
      <input type="hidden" name="about" value={kind && which.trim() ? `${kind} ${which.trim()}` : ''} />
    </>
  )
}
