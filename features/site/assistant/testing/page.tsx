import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
// First, because it tells zod that the page's policy forbids eval.
import '#base/web/no-eval.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { z } from 'zod'
import { member, type Me } from '#account/web/account.tsx'
import { declared } from '#ai-label/contract.ts'
import { AssistantButton } from '#assistant/web/assistant.tsx'
import { ImageView } from '#assistant/web/image-view.tsx'
import { places as formPlaces } from '#assistant/web/form-places.tsx'
import { write } from '#base/contract.ts'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { browserApi } from '#base/web/call.ts'
import { followLinks } from '#base/web/link.tsx'
import { addPlaces } from '#base/web/places.tsx'
import { toast, Toasts } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import { commentDocument } from '#writing/contract.ts'
import { AiField, DocumentField, ownDraftKey } from '#writing/web/writing.tsx'
import '#base/web/style.css'
import '#base/web/prose.css'
import '#base/web/pictures.css'

/** A test page: the assistant beside a thread, optionally with an editor. */
const query = new URLSearchParams(location.search)
const files = import.meta.glob<Record<string, string>>(
  ['../../../../base/words/*/en.json', '../words/en.json', '../../../*/{account,ai-label,file,writing,hidden-part,user}/words/en.json'],
  { eager: true, import: 'default' },
)
const spoken = Object.entries(files).map(([path, texts]): [string, Record<string, string>] => [
  /(\w+)\/(?:words\/)?\w+\.json$/.exec(path.replace(/^\.\.\/words\//, 'assistant/words/').replace('ai-label', 'aiLabel'))?.[1] ?? path,
  texts,
])
const messages = messagesOf(Object.fromEntries(spoken))

const api = browserApi({
  apiUrl: () => '/api',
  language: () => 'en_US',
  currentPath: () => location.pathname,
  navigate: () => undefined,
  toast,
  showNotice: (_, text) => toast(text),
  translate: (key, values) => translatorFor({ language: 'en', messages })(`call.${key}`, values),
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
})

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
const router = createBrowserRouter(['/thread', '*'].map((path) => ({ path, Component: Page })))
followLinks(router)
Object.assign(window, { leave: () => member.set(null) })
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <WordsProvider language="en" messages={messages}>
      <RouterProvider router={router} />
    </WordsProvider>
  </ApiContext>,
)
