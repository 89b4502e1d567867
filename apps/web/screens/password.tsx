import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { changePassword } from '#account/contract.ts'
import { useMember } from '#account/web/account.tsx'
import { NewPassword } from '#account/web/new-password.tsx'
import { memberPagePath } from '#apps/web/member-pages.ts'
import type { Output } from '#base/contract.ts'
import { Form, PasswordField, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { setPassword, type signInMethods } from '#identity/contract.ts'

/** Changes the member's password, or sets the first one of an account created by a provider. */
export function Page() {
  const words = useWords('account')
  const { hasPassword } = useLoaderData<Output<typeof signInMethods>>()
  const isOfficial = useMember()?.isOfficial ?? false
  if (isOfficial)
    return (
      <section className="column">
        <p className="note">
          {words('passwordOfStaff')} <a href="/admin/self">{words('toAdministration')}</a>
        </p>
      </section>
    )
  return (
    <section className="column">
      {hasPassword ? <ChangedPassword /> : <FirstPassword />}
      <p>
        <Link to={memberPagePath('hintQuestion')}>{words('hintTitle')}</Link>
      </p>
    </section>
  )
}

function ChangedPassword() {
  const words = useWords('account')
  const [times, setTimes] = useState(0)
  return (
    <Form
      key={times}
      endpoint={changePassword}
      onSuccess={() => {
        toast(words('passwordChanged'))
        setTimes(times + 1)
      }}
    >
      <p className="meta">{words('changePasswordWhat')}</p>
      <PasswordField name="oldPassword" label={words('oldPassword')} autoComplete="current-password" />
      <NewPassword label={words('newPassword')} />
      <Submit>{words('changePassword')}</Submit>
    </Form>
  )
}

function FirstPassword() {
  const words = useWords('identity')
  return (
    <>
      <p>{words('passwordNone')}</p>
      <Form endpoint={setPassword} onSuccess={() => void toast(words('passwordIsSet'))}>
        <NewPassword label={words('newPassword')} />
        <Submit>{words('setPassword')}</Submit>
      </Form>
    </>
  )
}
