import { useState } from 'react'
import { password } from '#account/contract.ts'
import { PasswordField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** The field of a new password, with its requirements. */
export function NewPasswordField({ label }: { label: string }) {
  const words = useWords('account')
  const [typed, setTyped] = useState('')
  return (
    <PasswordField
      name="password"
      label={label}
      rule={{ text: words('passwordHelp'), isMet: password.safeParse(typed).success }}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      autoComplete="new-password"
    />
  )
}

/** The new password, twice. */
export function NewPasswordFields() {
  const words = useWords('account')
  return (
    <>
      <NewPasswordField label={words('newPassword')} />
      <PasswordField name="passwordAgain" label={words('passwordAgain')} autoComplete="new-password" />
    </>
  )
}
