import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'
import { useLoginPath, useMember } from '#account/web/account.tsx'
import css from '#apps/web/error-page.module.css'

/** Replaces a page that is missing, forbidden or broken. */
export function ErrorPage() {
  const words = useWords('site')
  const kind = faultOf(useRouteError())
  const canRetry = kind === 'broken' || kind === 'away' || kind === 'offline'
  const mayLogIn = useMember() === null && kind === 'forbidden'
  const loginPath = useLoginPath()
  const { pathname, search } = useLocation()
  return (
    <section className={css.page} role="alert">
      <Drawing />
      <h1>{words(`${kind}Title`)}</h1>
      <p>{words(kind === 'forbidden' && pathname === '/thread' ? 'forbiddenTopic' : kind)}</p>
      <p className={css.actions}>
        {canRetry && (
          <Link to={pathname + search} className="button">
            {words('retry')}
          </Link>
        )}
        {mayLogIn && (
          <Link to={loginPath} className="button">
            {words('logIn')}
          </Link>
        )}
        <Link to="/index" className={canRetry || mayLogIn ? 'button quiet' : 'button'}>
          {words('toIndex')}
        </Link>
      </p>
    </section>
  )
}

export type Fault = 'missing' | 'forbidden' | 'away' | 'offline' | 'broken'

/** The reason why a page is not shown. */
export function faultOf(error: unknown): Fault {
  const status = isRouteErrorResponse(error) ? error.status : error instanceof Error && 'status' in error ? error.status : 500
  if (status === 404) return 'missing'
  if (status === 403) return 'forbidden'
  if (status === 0) return 'offline'
  return status === 503 ? 'away' : 'broken'
}

/** The first reason among a navigation's errors; null if there are none. */
export function faultIn(errors: Record<string, unknown> | null): Fault | null {
  const [error] = Object.values(errors ?? {})
  return error === undefined ? null : faultOf(error)
}
