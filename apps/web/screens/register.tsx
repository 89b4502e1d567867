import { Page as Register } from '#account/web/register-page.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { OtherLoginMethods } from '#identity/web/identity.tsx'

export function Page() {
  const { path } = useReturnPath()
  return (
    <>
      <Register />
      <OtherLoginMethods jumpUrl={encodeReturnPath(path)} />
    </>
  )
}
