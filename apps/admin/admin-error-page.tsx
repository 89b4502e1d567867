import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { CallFailed } from '#base/web/call.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

/** Replaces a screen that is missing, forbidden or broken. */
export function AdminErrorPage() {
  const words = useWords('admin')
  const { pathname, search } = useLocation()
  const kind = kindOf(useRouteError())
  // A missing screen will be missing again.
  const leadsBack = kind === 'missing' || kind === 'forbidden'
  return (
    <section className="empty" role="alert">
      <h1>{words(`${kind}Title`)}</h1>
      <p>{words(`${kind}Text`)}</p>
      <p>
        <Link to={leadsBack ? '/admin' : kind === 'badly' ? pathname : pathname + search} className="button quiet">
          {words(actionFor[kind])}
        </Link>
      </p>
    </section>
  )
}

const actionFor = { missing: 'toStart', forbidden: 'toFirst', signedOut: 'signIn', badly: 'withoutFilters', broken: 'retry' } as const

function kindOf(error: unknown): 'missing' | 'forbidden' | 'signedOut' | 'badly' | 'broken' {
  const status = error instanceof CallFailed || isRouteErrorResponse(error) ? error.status : 500
  if (status === 404) return 'missing'
  if (status === 403) return 'forbidden'
  if (status === 401) return 'signedOut'
  return status === 400 ? 'badly' : 'broken'
}
