import { useState } from 'react'
import { password } from '#account/contract.ts'
import { NewPasswordFields } from '#base/web/new-password.tsx'
import { useWords } from '#base/web/words.tsx'

/** The new password of a member, with its requirements. */
export function NewPassword({ label }: { label: string }) {
  const words = useWords('account')
  const [typed, setTyped] = useState('')
  return (
    <NewPasswordFields
      label={label}
      rule={{ text: words('passwordHelp'), isMet: password.safeParse(typed).success }}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
