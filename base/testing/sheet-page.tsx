import { useState } from 'react'
import { z } from 'zod'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { nothing, write } from '#base/contract.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { PageSheet, Sheet, SheetFoot, SheetHead } from '#base/web/sheet.tsx'

/** A test page: a form in a sheet above a thread, and one that is a page of its own. */

const say = write('/say', { summary: 'Says something.', input: z.object({ text: z.string().min(1) }), output: nothing })

function Fields() {
  return (
    <>
      <SheetHead action="Post" />
      <TextField name="text" label="Text" />
      <SheetFoot>
        <Submit>Post</Submit>
      </SheetFoot>
    </>
  )
}

function Thread() {
  const [isOpen, open] = useState(false)
  const [said, setSaid] = useState(0)
  return (
    <main className="column">
      <h1>A thread</h1>
      <button type="button" onClick={() => open(true)}>
        Write
      </button>
      <Link to="/new">A new one</Link>
      <output>{said}</output>
      <Sheet label="Your comment" isOpen={isOpen} dismiss={() => open(false)} {...(query.has('half') && { height: 'half' })}>
        <Form
          endpoint={say}
          onSuccess={() => {
            open(false)
            setSaid(said + 1)
          }}
        >
          <Fields />
        </Form>
      </Sheet>
    </main>
  )
}

function NewThread() {
  return (
    <main className="column">
      <PageSheet label="A new thread" back="/list">
        <Form endpoint={say} onSuccess={() => undefined}>
          <Fields />
        </Form>
      </PageSheet>
    </main>
  )
}

renderTestPage([
  { path: '/thread', Component: Thread },
  { path: '/new', Component: NewThread },
  { path: '*', Component: () => <h1>The list</h1> },
])
