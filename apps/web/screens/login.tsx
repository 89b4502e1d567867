import { useLocation } from 'react-router'
import { AlreadyHere, OnTheWay, useAlreadyHere } from '#account/web/already-here.tsx'
import { Page as Login } from '#account/web/login-page.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useWayBack()
  const me = useAlreadyHere()
  const asked = new URLSearchParams(useLocation().search)
  if (me === undefined) return null
  // Re-authentication is a new login.
  if (me && !asked.has('again')) return asked.has('jumpUrl') ? <OnTheWay path={path} /> : <AlreadyHere me={me} path={path} />
  return (
    <>
      <Login />
      <OtherWays jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
