// First, because it tells zod that the page's policy forbids eval.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { z } from 'zod'
import { member, type Me } from '#account/web/account.tsx'
import { declared } from '#ai-label/contract.ts'
import { AssistantButton } from '#assistant/web/assistant.tsx'
import { ImageView } from '#assistant/web/image-view.tsx'
import { places as formPlaces } from '#assistant/web/form-places.tsx'
import { write } from '#base/contract.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { addPlaces } from '#base/web/places.tsx'
import { Toasts } from '#base/web/toast.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import { commentDocument } from '#writing/contract.ts'
import { AiField, DocumentField, ownDraftKey } from '#writing/web/writing.tsx'
import '#base/web/prose.css'
import '#base/web/pictures.css'

/** A test page: the assistant beside a thread, optionally with an editor. */

const send = write('/try', { summary: 'Takes a document.', input: z.object({ body: commentDocument, ...declared }), output: z.object({}) })

function Page() {
  return (
    <>
      <header>
        <AssistantButton />
      </header>
      <main className="column">
        <h1>Tea</h1>
        {query.has('picture') && <ImageView src="/file/f_1" alt="A cup" />}
        {query.has('writes') && (
          <Form endpoint={send} onSuccess={() => undefined}>
            <DocumentField name="body" label="Body" draftKey="example" isPlain={query.has('plain')} />
            <AiField draftKey={ownDraftKey('example')} label={query.has('byStaff') ? 'staff' : null} />
            <Submit>Publish</Submit>
          </Form>
        )}
      </main>
      <Toasts />
      <DialogHost />
    </>
  )
}

const tools = { topic: [], comment: query.has('noTool') ? ['ai'] : [], reply: [] }
site.set({
  apiUrl: '/api',
  hiddenTools: tools,
  aiLabels: 'declare',
  aiAssistantParameter: { allowChat: !query.has('closed') },
} as unknown as Site)
addPlaces([formPlaces])
member.set({ userId: '7' } as Me)
Object.assign(window, { leave: () => member.set(null) })
renderTestPage(['/thread', '*'].map((path) => ({ path, Component: Page })))
