import { Page as Login } from '#account/web/login-page.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useWayBack()
  return (
    <>
      <Login />
      <OtherWays jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
