import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider, type RouteObject } from 'react-router'
import { pascalCase } from '#base/pascal-case.ts'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { browserApi } from '#base/web/call.ts'
import { followLinks } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import '#base/web/style.css'
import '#base/web/direction.css'

/** The query of a test page, which selects its variant. */
export const query = new URLSearchParams(location.search)
export const language = query.get('lang') === 'zh' ? 'zh' : 'en'

const files = import.meta.glob<Record<string, string>>(['../words/*/*.json', '../../features/*/*/words/*.json'], {
  eager: true,
  import: 'default',
})
const messages = messagesOf(
  Object.fromEntries(
    Object.entries(files).flatMap(([path, texts]) => {
      const [, folder = '', file] = /([\w-]+)\/(?:words\/)?(\w+)\.json$/.exec(path) ?? []
      return file === language ? [[camelCase(folder), texts]] : []
    }),
  ),
)

function camelCase(name: string): string {
  return name.charAt(0) + pascalCase(name).slice(1)
}

export const api = browserApi({
  apiUrl: () => '/api',
  language: () => (language === 'zh' ? 'zh_CN' : 'en_US'),
  currentPath: () => location.pathname,
  navigate: () => undefined,
  toast,
  showNotice: (_, text) => toast(text),
  translate: (key, values) => translatorFor({ language, messages })(`call.${key}`, values),
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
})

/** Renders the screens of a test page, in the language and theme of its query. */
export function renderTestPage(routes: RouteObject[]): void {
  document.documentElement.lang = language
  if (query.has('theme')) document.documentElement.dataset['theme'] = query.get('theme') ?? ''
  const router = createBrowserRouter(routes)
  followLinks(router)
  createRoot(document.getElementById('root') ?? document.body).render(
    <ApiContext value={api}>
      <WordsProvider language={language} messages={messages}>
        <RouterProvider router={router} />
      </WordsProvider>
    </ApiContext>,
  )
}
