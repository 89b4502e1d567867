import { useLocation } from 'react-router'
import type { LoginWay } from '#account/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#account/web/way-tabs.module.css'

const names = { account: 'byAccount', phone: 'byPhone', email: 'byEmail' } as const satisfies Record<LoginWay, string>

type TabsProps = { page: '/login' | '/findPassWord/step1'; ways: readonly LoginWay[]; chosen: LoginWay; query: string; label: string }

/** One tab for each way to say whose account it is; nothing where there is but one. */
export function WayTabs({ page, ways, chosen, query, label }: TabsProps) {
  const words = useWords('account')
  if (ways.length < 2) return null
  return (
    <nav className={`tabs ${css.ways}`} aria-label={label}>
      {ways.map((way) => (
        <Link key={way} to={`${page}${query}&by=${way}`} aria-current={way === chosen ? 'page' : undefined}>
          {words(names[way])}
        </Link>
      ))}
    </nav>
  )
}

/** The way that the address of the page asks for, or the first. */
export function useWay<Way extends LoginWay>(ways: readonly Way[]): Way | undefined {
  const asked = new URLSearchParams(useLocation().search).get('by')
  return ways.find((way) => way === asked) ?? ways[0]
}
