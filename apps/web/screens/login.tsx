import { AlreadyHere, useAlreadyHere } from '#account/web/already-here.tsx'
import { Page as Login } from '#account/web/login-page.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useWayBack()
  const me = useAlreadyHere()
  if (me === undefined) return null
  if (me) return <AlreadyHere me={me} path={path} />
  return (
    <>
      <Login />
      <OtherWays jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
