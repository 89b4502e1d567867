import { useLocation } from 'react-router'
import type { LoginMethod } from '#account/contract.ts'
import { useReturnPath } from '#account/web/return-path.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#account/web/ways.module.css'

const names = { account: 'byAccount', phone: 'byPhone', email: 'byEmail' } as const satisfies Record<LoginMethod, string>

type MethodTabsProps = {
  methods: readonly LoginMethod[]
  chosen: LoginMethod
  label: string
  /** The label of the method by account name. */
  accountLabel?: string
}

/** Tabs, each with its URL. Nothing where there is only one method. */
export function MethodTabs({ methods, chosen, label, accountLabel }: MethodTabsProps) {
  const words = useWords('account')
  const { pathname, search } = useLocation()
  const { query: back } = useReturnPath()
  if (methods.length < 2) return null
  function to(method: LoginMethod): string {
    const query = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(search)),
      ...Object.fromEntries(new URLSearchParams(back)),
    })
    query.set('by', method)
    return `${pathname}?${query}`
  }
  return (
    <nav className={`tabs ${css.ways}`} aria-label={label}>
      {methods.map((way) => (
        <Link key={way} to={to(way)} aria-current={way === chosen ? 'page' : undefined}>
          {way === 'account' && accountLabel ? accountLabel : words(names[way])}
        </Link>
      ))}
    </nav>
  )
}

/** The method in the page's URL, or the first. */
export function useMethod<Way extends LoginMethod>(ways: readonly Way[]): Way | undefined {
  const requested = new URLSearchParams(useLocation().search).get('by')
  return ways.find((way) => way === requested) ?? ways[0]
}
