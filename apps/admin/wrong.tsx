import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { CallFailed } from '#base/web/call.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

/** What stands in place of a screen that is missing, not for this member of staff, or broken. */
export function Wrong() {
  const words = useWords('admin')
  const { pathname, search } = useLocation()
  const kind = kindOf(useRouteError())
  return (
    <section className="empty" role="alert">
      <h1>{words(`${kind}Title`)}</h1>
      <p>{words(`${kind}Text`)}</p>
      <p>
        <Link to={kind === 'badly' ? pathname : pathname + search} className="button quiet">
          {words(kind === 'badly' ? 'withoutFilters' : 'retry')}
        </Link>
      </p>
    </section>
  )
}

function kindOf(error: unknown): 'missing' | 'forbidden' | 'badly' | 'broken' {
  const status = error instanceof CallFailed || isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) return 'missing'
  if (status === 403) return 'forbidden'
  return status === 400 ? 'badly' : 'broken'
}
