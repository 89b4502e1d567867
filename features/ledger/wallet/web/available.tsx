import { addDecimals } from '#base/decimal.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Amount, amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/web/wallet.module.css'

type AvailableProps = { balance: string; /** The part of it that a trial of the site credited. */ unspendable: string }

/** What a member can spend of the balance. */
export function Available({ balance, unspendable }: AvailableProps) {
  const words = useWords('wallet')
  const language = useLanguage()
  return (
    <>
      <p className={css.much}>
        <Amount of={addDecimals(balance, `-${unspendable}`)} currency="cny" />
      </p>
      <p className="meta">{words('balanceWhat')}</p>
      {Number(unspendable) > 0 && (
        <p className="note">
          {words('unspendable', { amount: amountText(unspendable, 'cny', language), balance: amountText(balance, 'cny', language) })}
        </p>
      )}
    </>
  )
}
