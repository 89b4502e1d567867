import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#payment/admin/payment.module.css'

const matters = ['Licence', 'Split', 'Merchant', 'Consumer', 'Tax', 'Minors', 'Laundering', 'Data'] as const

export function BeforeMoney() {
  const words = useWords('paymentAdmin')
  const { allowCash } = useSite()
  return (
    <section className={`note ${css.law}`} aria-labelledby="before-money">
      <h2 id="before-money">{words(allowCash ? 'lawOn' : 'lawOff')}</h2>
      <p>{words('lawWhat')}</p>
      <ul>
        {matters.map((matter) => (
          <li key={matter}>
            <strong>{words(`law${matter}`)}</strong> {words(`law${matter}What`)}
          </li>
        ))}
      </ul>
      <p>{words('lawAdvice')}</p>
      {mayDo('setting.view') && (
        <p className="actions">
          <Link to="/admin/setting?setting=allowCash" className="button quiet">
            {words(allowCash ? 'toSwitchOn' : 'toSwitchOff')}
          </Link>
        </p>
      )}
    </section>
  )
}
