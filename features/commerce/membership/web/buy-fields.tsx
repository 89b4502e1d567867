import type { KeyboardEvent, ReactNode } from 'react'
import { Field, LabelledControl, TextField } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { maxNote, type CardView, type PriceView } from '#membership/contract.ts'
import { usePrice } from '#membership/web/price.ts'
import css from '#membership/web/buy-panel.module.css'

/** The text of a field, and the part that the quote was requested for: an incomplete name or code is not sent. */
export type AppliedField = { typed: string; applied: string }
type Props = { value: AppliedField; set: (value: AppliedField) => void; /** The server's refusal. */ wrong: string | undefined }

export function CouponField({ value, set, wrong }: Props) {
  const words = useWords('membership')
  const apply = () => set({ ...value, applied: value.typed })
  return (
    <LabelledControl name="coupon" label={words('coupon')} help={wrong && <Wrong>{wrong}</Wrong>}>
      {(control) => (
        <span className={css.coupon}>
          <input
            {...control}
            {...(wrong && { 'aria-invalid': true })}
            value={value.typed}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={({ target }) => set({ ...value, typed: target.value })}
            onBlur={apply}
            onKeyDown={(press) => applyOnEnter(press, apply)}
          />
          <button type="button" className="button quiet" onClick={apply}>
            {words('apply')}
          </button>
        </span>
      )}
    </LabelledControl>
  )
}

export function GiftFields({ value, set, wrong }: Props) {
  const words = useWords('membership')
  const apply = () => set({ ...value, applied: value.typed })
  return (
    <div className={css.gift}>
      <Field
        name="receiver"
        label={words('receiver')}
        value={value.typed}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        required
        onChange={({ target }) => set({ ...value, typed: target.value })}
        onBlur={apply}
        onKeyDown={(press) => applyOnEnter(press, apply)}
        {...errorProps(wrong)}
      />
      <TextField name="note" label={words('note')} help={words('noteHelp', { max: maxNote })} maxLength={maxNote} rows={2} />
    </div>
  )
}

type UpgradeProps = { card: CardView; rest: PriceView; is: boolean; set: (upgrades: boolean) => void; wrong: string | undefined }

/** The option to deduct the unused value of a former card. */
export function Upgrade({ card, rest, is, set, wrong }: UpgradeProps) {
  const words = useWords('membership')
  const language = useLanguage()
  const price = usePrice()
  const cards = new Intl.ListFormat(language, { type: 'disjunction' }).format(card.replaces.map(({ name }) => name[language]))
  return (
    <Field
      name="upgrades"
      type="checkbox"
      label={words('upgrade', { rest: price(rest), cards })}
      checked={is}
      onChange={({ target }) => set(target.checked)}
      {...errorProps(wrong)}
    />
  )
}

/** The props of a field that the server would refuse. */
export function errorProps(wrong: string | undefined) {
  return wrong ? { 'aria-invalid': true as const, help: <Wrong>{wrong}</Wrong> } : {}
}

/** Ends the input on Enter without submitting the form, which pays. */
export function applyOnEnter(press: KeyboardEvent, apply: () => void = () => undefined): void {
  if (press.key !== 'Enter' || press.nativeEvent.isComposing) return
  press.preventDefault()
  apply()
}

function Wrong({ children }: { children: ReactNode }) {
  return (
    <span className={css.wrong} role="alert">
      {children}
    </span>
  )
}
