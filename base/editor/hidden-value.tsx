import { useContext, useId, useState, type KeyboardEvent } from 'react'
import type { Block, Hidden } from '#base/rich-text/document.ts'
import { parseCents, formatCents } from '#base/rich-text/hidden-line.ts'
import { faultInParts } from '#base/rich-text/hidden-part.ts'
import { normalizeNumber } from '#base/typed-number.ts'
import { isComposing } from '#base/web/composing.ts'
import { HidingContext, type HidingLimits } from '#base/editor/hiding-state.ts'
import { useLanguage, useTranslate, useWords } from '#base/web/words.tsx'
import css from '#base/editor/hidden.module.css'

type Attrs = Hidden['attrs']
type PartValueProps = { attrs: Attrs; keepsPassword: boolean; set: (attrs: Partial<Attrs>) => void; focusContent: () => void }

/** The value of a lock: password, level or price. Its error appears after leaving the field or a refused submission. */
export function PartValue({ attrs, keepsPassword, set, focusContent }: PartValueProps) {
  const words = useWords('editor')
  const { isWrong } = useContext(HidingContext)
  const [wasLeft, leave] = useState(false)
  const id = useId()
  const fault = useLockError(attrs)
  const wrong = (wasLeft || isWrong) && fault
  const keeps = attrs.lock === 'password' && keepsPassword
  const message = wrong || (keeps ? words('passwordKept') : '')
  const control = {
    id,
    'aria-invalid': wrong ? (true as const) : undefined,
    'aria-describedby': message ? `${id}-said` : undefined,
    onBlur: () => leave(true),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
      // Enter must not submit the form.
      event.preventDefault()
      leave(true)
      focusContent()
    },
  }
  return (
    <>
      <span className={css.pair}>
        <label htmlFor={id}>{words(labels[attrs.lock])}</label>
        {attrs.lock === 'level' ? (
          <Level control={control} attrs={attrs} set={set} />
        ) : (
          <NumberInput control={control} attrs={attrs} set={set} />
        )}
      </span>
      {message && (
        <p id={`${id}-said`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
          {message}
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
  const levels = useContext(HidingContext).hiding?.limits?.levels ?? []
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
function NumberInput({ control, attrs: { lock, value }, set }: ControlProps) {
  const isMoney = lock === 'balance'
  const [typed, type] = useState(() => (isMoney ? formatCents(value) : value))
  const toValue = (text: string) => {
    if (lock === 'password') return text
    const number = normalizeNumber(text.trim())
    return isMoney ? (parseCents(number) ?? number) : number
  }
  // Undo changes it from outside.
  const displayed = toValue(typed) === value ? typed : isMoney ? formatCents(value) : value
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
      value={displayed}
      onChange={({ target }) => {
        type(target.value)
        set({ value: toValue(target.value) })
      }}
    />
  )
}

// The content of a part is irrelevant to its lock.
const sampleContent: Block = { type: 'paragraph', content: [{ type: 'text', text: '-' }] }

export function useLockError(attrs: Attrs): string | null {
  const [say, language] = [useTranslate(), useLanguage()]
  const words = useWords('editor')
  const terms = useContext(HidingContext).hiding?.limits
  const fault = faultInParts({ type: 'doc', content: [{ type: 'hidden', attrs, content: [sampleContent] }] })
  if (fault) return say(fault.code, fault.values)
  const most = terms && maxOf(attrs, terms)
  if (!most || Number(attrs.value) <= Number(most)) return null
  const isMoney = attrs.lock === 'balance'
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: isMoney ? 2 : 0 })
  return words('partTooDear', { most: number.format(Number(isMoney ? formatCents(most) : most)) })
}

function maxOf({ lock }: Attrs, { mostPoints, mostCents }: HidingLimits): string | null {
  return lock === 'points' ? mostPoints : lock === 'balance' ? mostCents : null
}
