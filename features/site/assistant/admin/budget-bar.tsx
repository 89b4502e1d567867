import { warnPercent, type BudgetView } from '#assistant/usage-contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#assistant/admin/assistant.module.css'

/** The spent share of the month's budget, and its consequence. */
export function BudgetBar({ budget: { month, spent, most, share, state } }: { budget: BudgetView }) {
  const words = useWords('assistantAdmin')
  const language = useLanguage()
  const yuan = new Intl.NumberFormat(language, { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' })
  const named = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00Z`),
  )
  const values = { spent: yuan.format(Number(spent)), most: yuan.format(Number(most)), share, from: warnPercent }
  return (
    <section className={css.budget} aria-labelledby="budget">
      <h2 id="budget">{words('budgetOf', { month: named })}</h2>
      {state !== 'free' && (
        <meter min={0} max={100} low={warnPercent} high={99} optimum={0} value={Math.min(share, 100)} aria-labelledby="budget">
          {share} %
        </meter>
      )}
      <p
        className={state === 'under' || state === 'free' ? undefined : css.bad}
        role={state === 'under' || state === 'free' ? undefined : 'alert'}
      >
        {words(`budget${state}`, values)} {mayDo('setting.view') && <Link to="/admin/setting?group=assistant">{words('toSettings')}</Link>}
      </p>
    </section>
  )
}
