import { z } from 'zod'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { nothing, write } from '#base/contract.ts'
import { member, type Me } from '#account/web/account.tsx'
import { useStoredFields } from '#base/editor/stored-fields.ts'
import { Toasts } from '#base/web/toast.tsx'
import { envelopeFields, giveEnvelope } from '#red-envelope/contract.ts'
import { EnvelopeFields } from '#red-envelope/web/envelope-fields.tsx'
import { LiveEnvelope } from '#red-envelope/web/live-envelope.tsx'
import { AddEnvelope, EnvelopeRoom } from '#red-envelope/web/red-envelope.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: the card of a thread and the fields of a new envelope, or both beside a comment. */

const limits = { least: '1', most: '10000', have: '100' }
const giving = {
  points: limits,
  cash: query.has('noCash') ? null : { least: '0.01', most: '200.00', have: '12.50' },
  mostShares: 999,
  leftToday: 5,
  hours: 24,
  roles: [{ id: '4', name: { zh: '茶友会', en: 'Tea club' } }],
  levels: [{ needs: '500', name: { zh: '茶师', en: 'Tea master' } }],
}

/** The envelope fields of the comment call, without the comment's text. */
const addComment = write('/comment/add', { summary: 'Comments.', input: z.object(envelopeFields), output: nothing })

/** The card under a comment, and the comment form. */
function CommentPage() {
  const storedFields = useStoredFields('7 comment 1')
  return (
    <main className="column">
      <EnvelopeRoom of={{ envelopeId: '3' }} />
      <Form endpoint={addComment} onSuccess={() => undefined}>
        <div key={storedFields.key} onInput={storedFields.store}>
          <AddEnvelope first={storedFields.initial} />
        </div>
        <Submit>Post it</Submit>
      </Form>
      <Toasts />
    </main>
  )
}

function Page() {
  return (
    <main className="column">
      <LiveEnvelope of={{ topicId: '1' }} />
      <Form endpoint={giveEnvelope} onSuccess={() => undefined}>
        <EnvelopeFields options={giving} first={Object.fromEntries(query)} />
        <Submit>Give it</Submit>
      </Form>
      <Toasts />
    </main>
  )
}

site.set({ apiUrl: '/api', open: { redEnvelopes: true } } as unknown as Site)
member.set(query.has('visitor') ? null : ({ userId: '7' } as Me))
renderTestPage([{ path: '*', Component: query.has('comment') ? CommentPage : Page }])
