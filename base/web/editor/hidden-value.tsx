import { useContext, useId, useState, type KeyboardEvent } from 'react'
import type { Block, Hidden } from '#base/rich-text/document.ts'
import { centsIn, writtenCents } from '#base/rich-text/hidden-line.ts'
import { wrongWithParts } from '#base/rich-text/hidden-part.ts'
import { isComposing } from '#base/web/composing.ts'
import { HidingContext, type HidingTerms } from '#base/web/editor/hiding.ts'
import { useLanguage, useSay, useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/hidden.module.css'

type Attrs = Hidden['attrs']
type PartValueProps = { attrs: Attrs; keepsPassword: boolean; set: (attrs: Partial<Attrs>) => void; goIn: () => void }

/** The value of a lock: password, level or price. Its error appears after leaving the field or a refused submission. */
export function PartValue({ attrs, keepsPassword, set, goIn }: PartValueProps) {
  const words = useWords('editor')
  const { isWrong } = useContext(HidingContext)
  const [wasLeft, leave] = useState(false)
  const id = useId()
  const fault = useFault(attrs)
  const wrong = (wasLeft || isWrong) && fault
  const keeps = attrs.lock === 'password' && keepsPassword
  const said = wrong || (keeps ? words('passwordKept') : '')
  const control = {
    id,
    'aria-invalid': wrong ? (true as const) : undefined,
    'aria-describedby': said ? `${id}-said` : undefined,
    onBlur: () => leave(true),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
      // Enter must not submit the form.
      event.preventDefault()
      leave(true)
      goIn()
    },
  }
  return (
    <>
      <span className={css.pair}>
        <label htmlFor={id}>{words(labels[attrs.lock])}</label>
        {attrs.lock === 'level' ? (
          <Level control={control} attrs={attrs} set={set} />
        ) : (
          <Written control={control} attrs={attrs} set={set} />
        )}
      </span>
      {said && (
        <p id={`${id}-said`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
          {said}
        </p>
      )}
    </>
  )
}

const labels = { password: 'partPassword', comment: '', level: 'partLevel', points: 'partPoints', balance: 'partBalance' } as const

type Control = Record<string, unknown>
type ControlProps = { control: Control; attrs: Attrs; set: PartValueProps['set'] }

function Level({ control, attrs: { value }, set }: ControlProps) {
  const words = useWords('editor')
  const language = useLanguage()
  const levels = useContext(HidingContext).hiding?.terms?.levels ?? []
  return (
    <select {...control} value={value} onChange={(event) => set({ value: event.target.value })}>
      <option value="">{words('chooseLevel')}</option>
      {value !== '' && !levels.some(({ needs }) => needs === value) && <option value={value}>{value}</option>}
      {levels.map(({ needs, name }) => (
        <option key={needs} value={needs}>
          {words('levelFrom', { level: name[language], needs: Number(needs) })}
        </option>
      ))}
    </select>
  )
}

/** A balance is typed in whole units and stored in hundredths; an invalid amount is stored as typed, and refused later. */
function Written({ control, attrs: { lock, value }, set }: ControlProps) {
  const isMoney = lock === 'balance'
  const [typed, type] = useState(() => (isMoney ? writtenCents(value) : value))
  const kept = (text: string) => (isMoney ? (centsIn(text) ?? text) : text)
  // Undo changes it from outside.
  const shown = kept(typed.trim()) === value ? typed : isMoney ? writtenCents(value) : value
  return (
    <input
      {...control}
      type="text"
      className={lock === 'password' ? css.password : css.amount}
      inputMode={lock === 'password' ? 'text' : isMoney ? 'decimal' : 'numeric'}
      {...(lock !== 'password' && { maxLength: 16 })}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      value={shown}
      onChange={({ target }) => {
        type(target.value)
        set({ value: kept(lock === 'password' ? target.value : target.value.trim()) })
      }}
    />
  )
}

// The content of a part is irrelevant to its lock.
const something: Block = { type: 'paragraph', content: [{ type: 'text', text: '-' }] }

export function useFault(attrs: Attrs): string | null {
  const [say, language] = [useSay(), useLanguage()]
  const words = useWords('editor')
  const terms = useContext(HidingContext).hiding?.terms
  const fault = wrongWithParts({ type: 'doc', content: [{ type: 'hidden', attrs, content: [something] }] })
  if (fault) return say(fault.code, fault.values)
  const most = terms && mostOf(attrs, terms)
  if (!most || Number(attrs.value) <= Number(most)) return null
  const isMoney = attrs.lock === 'balance'
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: isMoney ? 2 : 0 })
  return words('partTooDear', { most: number.format(Number(isMoney ? writtenCents(most) : most)) })
}

function mostOf({ lock }: Attrs, { mostPoints, mostCents }: HidingTerms): string | null {
  return lock === 'points' ? mostPoints : lock === 'balance' ? mostCents : null
}
