import { useSearchParams } from 'react-router'
import { Page as Register } from '#account/web/register-page.tsx'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const [query] = useSearchParams()
  return (
    <>
      <Register />
      <OtherWays jumpUrl={query.get('jumpUrl')} />
    </>
  )
}
