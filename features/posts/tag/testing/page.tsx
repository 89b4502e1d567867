import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
// First, since it configures zod for a content security policy without eval.
import '#base/web/no-eval.ts'
import { Form, Submit, useForm } from '#base/web/form.tsx'
import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { ApiContext } from '#base/web/api.ts'
import { browserApi } from '#base/web/call.ts'
import { useStoredFields } from '#base/web/stored-fields.ts'
import { toast } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import { furtherTags } from '#tag/contract.ts'
import { TagField } from '#tag/web/tag.tsx'
import '#base/web/style.css'
import '#base/web/direction.css'

/** A page for tests: a form with the tag field only, which shows the selection. */
const query = new URLSearchParams(location.search)
const language = query.get('lang') === 'zh' ? 'zh' : 'en'
const files = import.meta.glob<Record<string, string>>(['../../../../base/words/*/*.json', '../words/*.json'], {
  eager: true,
  import: 'default',
})
const spoken = Object.entries(files)
  .filter(([path]) => path.endsWith(`/${language}.json`))
  .map(([path, texts]): [string, Record<string, string>] => [
    /(\w+)\/(?:words\/)?\w+\.json$/.exec(path.replace(/^\.\.\/words\//, 'tag/words/'))?.[1] ?? path,
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

const send = write('/send', { summary: '', input: z.object({ tagId: id, tagIds: furtherTags.default([]) }), output: nothing })
const tagOf = (number: string, zh: string, en: string) => ({
  id: number,
  key: en.toLowerCase(),
  name: { zh, en },
  description: { zh: '', en: '' },
  picture: null,
  topicCount: 0,
  isRestricted: false,
  viewers: [],
})
const tags = [
  {
    ...tagOf('1', '喝茶', 'Tea'),
    children: [tagOf('11', '泡茶', 'Brewing'), tagOf('12', '茶具', 'Teaware'), tagOf('13', '茶馆', 'Teahouses')],
  },
  { ...tagOf('2', '杂谈', 'Talk'), children: [tagOf('21', '徒步', 'Hiking'), tagOf('22', '读书', 'Reading')] },
]

/** Buttons that suggest tags to the field, and one that it does not offer. */
function Suggested() {
  const { tagId } = useForm().suggestible
  return ['12', '13', '99'].map((one) => {
    const label = tagId?.labelOf(one)
    return (
      label && (
        <button key={one} type="button" onClick={() => tagId?.take(one)}>
          Take {label}
        </button>
      )
    )
  })
}

function Page() {
  const kept = useStoredFields('tags')
  const { tagId, tagIds } = kept.initial
  const first = [tagId ?? '', ...(tagIds ?? '').split(' ')].filter(Boolean)
  return (
    <main className="column" style={{ padding: '24px 16px' }}>
      <Form endpoint={send} onSuccess={() => undefined}>
        <div onInput={kept.store}>
          <TagField tags={tags} most={Number(query.get('most') ?? 3)} first={first} isPlaceFixed={query.has('fixed')} />
        </div>
        <Suggested />
        <Submit>Send</Submit>
      </Form>
    </main>
  )
}

document.documentElement.lang = language
if (query.has('theme')) document.documentElement.dataset['theme'] = query.get('theme') ?? ''
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <WordsProvider language={language} messages={messages}>
      <RouterProvider router={createBrowserRouter([{ path: '*', Component: Page }])} />
    </WordsProvider>
  </ApiContext>,
)
