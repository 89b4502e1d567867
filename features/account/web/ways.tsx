import { useLocation } from 'react-router'
import type { LoginWay } from '#account/contract.ts'
import { useWayBack } from '#account/web/way-back.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#account/web/ways.module.css'

const names = { account: 'byAccount', phone: 'byPhone', email: 'byEmail' } as const satisfies Record<LoginWay, string>

type WaysProps = {
  ways: readonly LoginWay[]
  chosen: LoginWay
  label: string
  /** The label of the method by account name. */
  byAccount?: string
}

/** Tabs, each with its URL. Nothing where there is only one method. */
export function Ways({ ways, chosen, label, byAccount }: WaysProps) {
  const words = useWords('account')
  const { pathname, search } = useLocation()
  const { query: back } = useWayBack()
  if (ways.length < 2) return null
  function to(way: LoginWay): string {
    const query = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(search)),
      ...Object.fromEntries(new URLSearchParams(back)),
    })
    query.set('by', way)
    return `${pathname}?${query}`
  }
  return (
    <nav className={`tabs ${css.ways}`} aria-label={label}>
      {ways.map((way) => (
        <Link key={way} to={to(way)} aria-current={way === chosen ? 'page' : undefined}>
          {way === 'account' && byAccount ? byAccount : words(names[way])}
        </Link>
      ))}
    </nav>
  )
}

/** The method in the page's URL, or the first. */
export function useWay<Way extends LoginWay>(ways: readonly Way[]): Way | undefined {
  const asked = new URLSearchParams(useLocation().search).get('by')
  return ways.find((way) => way === asked) ?? ways[0]
}
