import { useState, type ChangeEvent, type FormEvent, type ReactNode } from 'react'
import { SelectField, Field } from '#base/web/form.tsx'
import type { FieldValues } from '#base/editor/stored-fields.ts'
import { useWords } from '#base/web/words.tsx'
import { envelopeCovers, envelopeKinds, type EnvelopeKind } from '#red-envelope/contract.ts'
import { ConditionFields } from '#red-envelope/web/condition-fields.tsx'
import { Cover } from '#red-envelope/web/cover.tsx'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'
import { Total } from '#red-envelope/web/total.tsx'
import type { Currency } from '#wallet/contract.ts'
import css from '#red-envelope/web/envelope-fields.module.css'

type FieldsProps = { options: EnvelopeOptions; first: FieldValues }

/** The fields of an envelope that comes with a post: one line until a kind is chosen. Renders nothing where none may be given. */
export function EnvelopeFields({ options, first, drop }: FieldsProps & { /** Removes the fields again. */ drop?: () => void }) {
  const words = useWords('redEnvelope')
  const [kind, setKind] = useState(kindIn(first['envelopeKind'] ?? ''))
  if (!options.points && !options.cash) return drop ? <p className="note">{words('noneHere')}</p> : null

  function choose({ target }: ChangeEvent<HTMLSelectElement>): void {
    const chosen = kindIn(target.value)
    setKind(chosen)
    if (!chosen) drop?.()
  }
  return (
    <fieldset className={css.fields}>
      <legend>{words('envelope')}</legend>
      <SelectField
        name="envelopeKind"
        label={words('kindField')}
        help={options.leftToday === 0 ? words('aboveDay') : words(kind ? kindHelp[kind] : 'kindHelp')}
        defaultValue={kind ?? ''}
        onChange={choose}
      >
        <option value="">{words('noneGiven')}</option>
        {envelopeKinds.map((one) => (
          <option key={one} value={one}>
            {words(kindOption[one])}
          </option>
        ))}
      </SelectField>
      {kind && <KindFields kind={kind} options={options} first={first} />}
    </fieldset>
  )
}

function kindIn(text: string): EnvelopeKind | null {
  return envelopeKinds.find((one) => one === text) ?? null
}

const amountWords = {
  random: { points: 'pointsField', cash: 'cashField' },
  fixed: { points: 'pointsEach', cash: 'cashEach' },
  targeted: { points: 'pointsOne', cash: 'cashOne' },
} as const
const kindOption = { random: 'optionRandom', fixed: 'optionFixed', targeted: 'optionTargeted' } as const
const kindHelp = { random: 'helpRandom', fixed: 'helpFixed', targeted: 'helpTargeted' } as const

type KindFieldsProps = FieldsProps & {
  kind: EnvelopeKind
  /** The envelope has no post. */
  isDirect?: boolean
  /** The receiver is known; this field holds the greeting. */
  greeting?: ReactNode
}

/** The fields of this kind, with the total. */
export function KindFields({ kind, options, first, isDirect = false, greeting }: KindFieldsProps) {
  const words = useWords('redEnvelope')
  const { points, cash, mostShares, hours } = options
  const [currency, setCurrency] = useState<Currency>(points && !(cash && first['envelopeCurrency'] === 'cny') ? 'points' : 'cny')
  const [typed, setTyped] = useState({
    envelopePoints: first['envelopePoints'] ?? '',
    envelopeCash: first['envelopeCash'] ?? '',
    envelopeQuantity: first['envelopeQuantity'] || '5',
  })
  const limits = currency === 'points' ? points : cash
  const amount = currency === 'points' ? typed.envelopePoints : typed.envelopeCash

  function type({ target }: FormEvent): void {
    if (target instanceof HTMLInputElement && target.name in typed) setTyped({ ...typed, [target.name]: target.value })
  }

  return (
    <div onInput={type}>
      {points && cash && <CurrencyField is={currency} set={setCurrency} />}
      <div className={css.row}>
        <AmountField key={currency} kind={kind} currency={currency} first={amount} />
        {kind !== 'targeted' && <QuantityField most={mostShares} first={typed.envelopeQuantity} />}
        {kind === 'targeted' && !greeting && <ReceiverField first={first['envelopeReceiver']} />}
      </div>
      {limits && <Total {...{ kind, currency, amount, limits }} quantity={typed.envelopeQuantity} />}
      {greeting ?? <GreetingField first={first['envelopeGreeting']} />}
      <Covers first={first['envelopeCover']} />
      {kind !== 'targeted' && <ConditionFields levels={options.levels} roles={options.roles} first={first} />}
      <p className="help">{words(isDirect ? 'whenDirect' : 'when', { hours })}</p>
    </div>
  )
}

function GreetingField({ first }: { first: string | undefined }) {
  const words = useWords('redEnvelope')
  return (
    <Field
      name="envelopeGreeting"
      label={words('greetingField')}
      maxLength={150}
      autoComplete="off"
      placeholder={words('standardGreeting')}
      defaultValue={first}
    />
  )
}

function CurrencyField({ is, set }: { is: Currency; set: (currency: Currency) => void }) {
  const words = useWords('redEnvelope')
  return (
    <SelectField
      name="envelopeCurrency"
      label={words('currencyField')}
      defaultValue={is}
      onChange={({ target }) => set(target.value === 'cny' ? 'cny' : 'points')}
    >
      <option value="points">{words('withPoints')}</option>
      <option value="cny">{words('withCash')}</option>
    </SelectField>
  )
}

function AmountField({ kind, currency, first }: { kind: EnvelopeKind; currency: Currency; first: string }) {
  const words = useWords('redEnvelope')
  const its =
    currency === 'points'
      ? ({ name: 'envelopePoints', label: words(amountWords[kind].points), inputMode: 'numeric', maxLength: 12 } as const)
      : ({ name: 'envelopeCash', label: words(amountWords[kind].cash), inputMode: 'decimal', maxLength: 13 } as const)
  return <Field {...its} autoComplete="off" required defaultValue={first} />
}

function ReceiverField({ first }: { first: string | undefined }) {
  const words = useWords('redEnvelope')
  return (
    <Field
      name="envelopeReceiver"
      label={words('receiverField')}
      help={words('receiverHelp')}
      maxLength={60}
      autoComplete="off"
      spellCheck={false}
      required
      defaultValue={first}
    />
  )
}

function QuantityField({ most, first }: { most: number; first: string }) {
  const words = useWords('redEnvelope')
  return (
    <Field
      name="envelopeQuantity"
      label={words('quantityField')}
      help={words('quantityHelp', { most })}
      type="number"
      min={1}
      max={most}
      required
      defaultValue={first}
    />
  )
}

const coverWords = { lantern: 'coverLantern', plum: 'coverPlum', tea: 'coverTea', cloud: 'coverCloud' } as const

function Covers({ first }: { first: string | undefined }) {
  const words = useWords('redEnvelope')
  const chosen = envelopeCovers.find((one) => one === first) ?? 'lantern'
  return (
    <fieldset className={css.covers}>
      <legend>{words('coverField')}</legend>
      {envelopeCovers.map((cover) => (
        <label key={cover}>
          <input type="radio" name="envelopeCover" value={cover} defaultChecked={cover === chosen} />
          <Cover of={cover} />
          <span>{words(coverWords[cover])}</span>
        </label>
      ))}
    </fieldset>
  )
}
