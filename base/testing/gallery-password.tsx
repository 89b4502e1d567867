import { z } from 'zod'
import { write } from '#base/contract.ts'
import { newSecret, passwordAgain, passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { NewPasswordFields } from '#base/web/new-password.tsx'

const lock = write('/tea/lock', {
  summary: 'Locks the tea chest.',
  input: z.object({ password: newSecret({ min: 7, max: 256 }), passwordAgain }).refine(passwordsMatch, passwordsDiffer),
  output: z.object({}),
})

/** A form for a new password. */
export function NewPasswordForm() {
  return (
    <Form endpoint={lock} onSuccess={() => undefined}>
      <NewPasswordFields label="Password" />
      <Submit>Lock</Submit>
    </Form>
  )
}
