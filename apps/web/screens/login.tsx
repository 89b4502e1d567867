import { useSearchParams } from 'react-router'
import { Page as Login } from '#account/web/login-page.tsx'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const [query] = useSearchParams()
  return (
    <>
      <Login />
      <OtherWays jumpUrl={query.get('jumpUrl')} />
    </>
  )
}
