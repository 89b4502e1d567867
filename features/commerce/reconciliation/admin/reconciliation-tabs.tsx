import { useLocation } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#reconciliation/admin/reconciliation.module.css'

const tabs = [
  ['differences', '/admin/payment/difference', '?state=open'],
  ['statements', '/admin/payment/statement', ''],
  ['months', '/admin/payment/month', ''],
] as const

/** The tabs of reconciliation: differences, daily statements, and months. */
export function ReconciliationTabs() {
  const words = useWords('reconciliationAdmin')
  const { pathname } = useLocation()
  return (
    <>
      <h1>{words('reconciliation')}</h1>
      <p className="meta">{words('reconciliationWhat')}</p>
      <nav className={`tabs ${css.tabs}`} aria-label={words('reconciliation')}>
        {tabs.map(([name, path, query]) => (
          <Link key={name} to={path + query} aria-current={pathname === path ? 'page' : undefined}>
            {words(name)}
          </Link>
        ))}
      </nav>
    </>
  )
}
