import { useState } from 'react'
import { z } from 'zod'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { renderTestPage } from '#base/testing/test-page.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { nothing, write } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'

/** A test page: a form in a dialog, and one on a page of its own. */

const save = write('/save', { summary: 'Saves.', input: z.object({ name: z.string().min(1) }), output: nothing })

function Role({ onSuccess }: { onSuccess: () => void }) {
  return (
    <Form endpoint={save} onSuccess={onSuccess}>
      <UnsavedGuard />
      <Field name="name" label="Name" />
      <Submit>Save</Submit>
    </Form>
  )
}

function Roles() {
  const [isOpen, open] = useState(false)
  return (
    <main className="column">
      <h1>Roles</h1>
      <button type="button" onClick={() => open(true)}>
        Add a role
      </button>
      <Dialog title="A role" isOpen={isOpen} close={() => open(false)}>
        <Role onSuccess={() => open(false)} />
      </Dialog>
      <DialogHost />
    </main>
  )
}

function OneRole() {
  return (
    <main className="column">
      <h1>One role</h1>
      <Role onSuccess={() => undefined} />
      <Link to="/roles">All roles</Link>
      <DialogHost />
    </main>
  )
}

renderTestPage([
  { path: '/roles', Component: Roles },
  { path: '/role', Component: OneRole },
])
