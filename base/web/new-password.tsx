import { useState } from 'react'
import { Field, PasswordField, type FieldProps } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** A new password: typed twice while it is typed unseen, once while it is shown. */
export function NewPasswordFields(field: Omit<FieldProps, 'name'>) {
  const words = useWords('site')
  const [isShown, setShown] = useState(false)
  return (
    <>
      <PasswordField {...field} name="password" autoComplete="new-password" onShow={setShown} />
      {!isShown && <Field name="passwordAgain" type="password" label={words('passwordAgain')} autoComplete="new-password" required />}
    </>
  )
}
