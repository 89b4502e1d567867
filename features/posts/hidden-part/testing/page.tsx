import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, useLoaderData, useRevalidator } from 'react-router'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import '#base/web/form.tsx'
import { member, type Me } from '#account/web/account.tsx'
import { ApiContext } from '#base/web/api.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { browserApi } from '#base/web/call.ts'
import { Segments } from '#base/web/html.tsx'
import { toast, Toasts } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import type { HiddenView } from '#hidden-part/contract.ts'
import { HiddenPart, LockMark, locksOf, RevealedContext, type RevealedParts } from '#hidden-part/web/hidden-part.tsx'
import { loadRevealed } from '#hidden-part/web/revealed.ts'
import '#base/web/style.css'
import '#base/web/prose.css'
import '#base/web/pictures.css'
import '#base/web/direction.css'

/** A test page: a post with hidden parts, and a place to comment. */
const query = new URLSearchParams(location.search)
const language = query.get('lang') === 'zh' ? 'zh' : 'en'
const files = import.meta.glob<Record<string, string>>(
  ['../../../../base/words/*/*.json', '../words/*.json', '../../../*/{account,wallet}/words/*.json'],
  { eager: true, import: 'default' },
)
const spoken = Object.entries(files)
  .filter(([path]) => path.endsWith(`/${language}.json`))
  .map(([path, texts]): [string, Record<string, string>] => [
    /(\w+)\/(?:words\/)?\w+\.json$/.exec(path.replace(/^\.\.\/words\//, 'hiddenPart/words/'))?.[1] ?? path,
    texts,
  ])
const messages = messagesOf(Object.fromEntries(spoken))

const api = browserApi({
  apiUrl: () => '/api',
  language: () => (language === 'zh' ? 'zh_CN' : 'en_US'),
  currentPath: () => location.pathname,
  navigate: () => undefined,
  toast,
  showNotice: (_, text) => toast(text),
  translate: translatorFor({ language, messages }),
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
})

type Data = { segments: { html: string; hidden?: HiddenView }[]; seen: RevealedParts }

async function load(): Promise<Data> {
  const { segments } = (await api.read('/thread', {})) as Pick<Data, 'segments'>
  return { segments, seen: query.has('visitor') ? null : await loadRevealed(api, '1', [{ segments }]) }
}

function Page() {
  const { segments, seen } = useLoaderData<Data>()
  const { revalidate } = useRevalidator()
  return (
    <main className="column" style={{ padding: '24px 16px' }}>
      <h1>
        <LockMark locks={locksOf(segments)} />
        {language === 'zh' ? '几道门' : 'Some doors'}
      </h1>
      <RevealedContext value={{ seen, takesComments: !query.has('closed') }}>
        <Segments segments={segments} renderHidden={(part) => <HiddenPart of={part} />} />
      </RevealedContext>
      <div data-composer>
        <textarea aria-label="Comment" />
        <button type="button" onClick={() => void revalidate()}>
          Commented
        </button>
      </div>
      <Toasts />
      <DialogHost />
    </main>
  )
}

member.set(query.has('visitor') ? null : ({ userId: '7' } as Me))
document.documentElement.lang = language
if (query.has('theme')) document.documentElement.dataset['theme'] = query.get('theme') ?? ''
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <WordsProvider language={language} messages={messages}>
      <RouterProvider router={createBrowserRouter([{ path: '*', Component: Page, loader: load }])} />
    </WordsProvider>
  </ApiContext>,
)
