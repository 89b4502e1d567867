import type { ReactNode } from 'react'
import { LoginReason } from '#account/web/login-reason.tsx'
import { Drawing } from '#base/web/drawing.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#account/web/login-card.module.css'

type LoginCardProps = {
  at: '/login' | '/register'
  /** The destination after login, and the query that carries it. */
  path: string
  query: string
  children: ReactNode
}

/** The card for login and registration: two tabs, each with its URL, with one destination. */
export function LoginCard({ at, path, query, children }: LoginCardProps) {
  const words = useWords('account')
  const { open } = useSite()
  const here = (way: LoginCardProps['at']) => (way === at ? 'page' : undefined)
  return (
    <section className={`narrow ${css.door}`} data-door>
      <header className={css.head}>
        <Drawing />
        <h1 className="hidden">{words(at === '/login' ? 'loginTitle' : 'registerTitle')}</h1>
        <LoginReason path={path} />
      </header>
      {(open.registrations || at === '/register') && (
        <nav className={css.tabs} aria-label={words('door')}>
          <Link to={`/login${query}`} replace aria-current={here('/login')}>
            {words('logIn')}
          </Link>
          <Link to={`/register${query}`} replace aria-current={here('/register')}>
            {words('register')}
          </Link>
        </nav>
      )}
      {children}
    </section>
  )
}
