import { Page as Register } from '#account/web/register-page.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherWays } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useWayBack()
  return (
    <>
      <Register />
      <OtherWays jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
