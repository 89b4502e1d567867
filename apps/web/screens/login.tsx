import { useLocation } from 'react-router'
import { AlreadyLoggedIn, Redirecting, useMemberAtLoad } from '#account/web/already-logged-in.tsx'
import { Page as Login } from '#account/web/login-page.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherLoginMethods } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useReturnPath()
  const me = useMemberAtLoad()
  const params = new URLSearchParams(useLocation().search)
  if (me === undefined) return null
  // Re-authentication is a new login.
  if (me && !params.has('again')) return params.has('jumpUrl') ? <Redirecting path={path} /> : <AlreadyLoggedIn me={me} path={path} />
  return (
    <>
      <Login />
      <OtherLoginMethods jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
