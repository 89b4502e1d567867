import { Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { LimitsView } from '#bounty/contract.ts'
import type { Offering } from '#bounty/web/bounty.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import type { Currency } from '#wallet/contract.ts'
import css from '#bounty/web/bounty.module.css'

type FieldsProps = { offering: Offering; first?: Record<string, string>; isRaising?: boolean }

/** The fields of an offer, with the limits and the member's funds. Renders nothing where no offer is allowed. */
export function BountyFields({ offering: { points, cash, days, share }, first = {}, isRaising = false }: FieldsProps) {
  const words = useWords('bounty')
  const helpFor = useHelp()
  if (!points && !cash) return null
  return (
    <fieldset className={css.fields} aria-label={isRaising ? undefined : words('offer')}>
      {isRaising && <legend>{words('raise')}</legend>}
      <div className={css.row}>
        {points && (
          <Field
            name="bountyPoints"
            label={words('pointsField')}
            help={helpFor('points', points)}
            inputMode="numeric"
            maxLength={12}
            autoComplete="off"
            defaultValue={first['bountyPoints']}
          />
        )}
        {cash && (
          <Field
            name="bountyCash"
            label={words('cashField')}
            help={helpFor('cny', cash)}
            inputMode="decimal"
            maxLength={13}
            autoComplete="off"
            defaultValue={first['bountyCash']}
          />
        )}
        <Field
          name="bountyDays"
          label={words(isRaising ? 'moreDaysField' : 'daysField')}
          help={words(isRaising ? 'moreDaysHelp' : 'daysHelp', { least: days.least, most: days.most })}
          type="number"
          min={isRaising ? 0 : days.least}
          max={days.most}
          placeholder={isRaising ? '0' : String(days.standard)}
          defaultValue={first['bountyPoints'] || first['bountyCash'] ? first['bountyDays'] : undefined}
        />
      </div>
      <p className="help">
        {words('what')} {cash && share > 0 && words('share', { share })}
      </p>
    </fieldset>
  )
}

function useHelp(): (currency: Currency, limits: LimitsView) => string {
  const words = useWords('bounty')
  const language = useLanguage()
  return (currency, { least, most, have }) => {
    const [from, to, has] = [least, most, have].map((amount) => amountText(amount, currency, language))
    return words('limits', { least: from ?? '', most: to ?? '', have: has ?? '' })
  }
}
