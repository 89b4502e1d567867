import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useLoginPath, useMember } from '#account/web/account.tsx'
import css from '#apps/web/error-page.module.css'

/** What stands in place of a page that is missing, not for this reader, or broken. */
export function ErrorPage() {
  const words = useWords('site')
  const kind = kindOf(useRouteError())
  const canRetry = kind === 'broken' || kind === 'away'
  const mayLogIn = useMember() === null && kind === 'forbidden'
  const loginPath = useLoginPath()
  const { revalidate, state } = useRevalidator()
  return (
    <section className={css.page} role="alert">
      <h1>{words(`${kind}Title`)}</h1>
      <p>{words(kind)}</p>
      <p className={css.deeds}>
        {canRetry && (
          <button type="button" className="button" onClick={() => void revalidate()} disabled={state === 'loading'}>
            {words('retry')}
          </button>
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

function kindOf(error: unknown): 'missing' | 'forbidden' | 'away' | 'broken' {
  const status = isRouteErrorResponse(error) ? error.status : error instanceof Error && 'status' in error ? error.status : 500
  if (status === 404) return 'missing'
  if (status === 403) return 'forbidden'
  return status === 503 ? 'away' : 'broken'
}
