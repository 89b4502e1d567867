import { useState } from 'react'
import { password } from '#account/contract.ts'
import { PasswordField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** A password that is to be, and what is asked of it. */
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

/** Twice, in place of one that there was. */
export function NewPasswordFields() {
  const words = useWords('account')
  return (
    <>
      <NewPasswordField label={words('newPassword')} />
      <PasswordField name="passwordAgain" label={words('passwordAgain')} autoComplete="new-password" />
    </>
  )
}
