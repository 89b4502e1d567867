import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
// Imported first: it tells zod that the page's policy forbids code from text.
import '#base/web/no-eval.ts'
import { member } from '#account/web/account.tsx'
import { ApiContext } from '#base/web/api.ts'
import { browserApi } from '#base/web/call.ts'
import { followLinks } from '#base/web/link.tsx'
import { toast, Toasts } from '#base/web/toast.tsx'
import { WordsProvider, type Messages as AllWords } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import { Bell } from '#notification/web/notification.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import '#base/web/style.css'

/** A test page of its own: the bell in a header, over a page that shows its URL. */
const files = import.meta.glob<Record<string, string>>(
  ['../../../../base/words/*/en.json', '../words/en.json', '../../../*/{account,comment,kind,like,user}/words/en.json'],
  {
    eager: true,
    import: 'default',
  },
)

function words(): AllWords {
  return messagesOf(
    Object.fromEntries(
      Object.entries(files).map(([path, texts]) => [
        /(\w+)\/(?:words\/)?en\.json$/.exec(path.replace(/^\.\.\/words/, 'notification/words'))?.[1] ?? path,
        texts,
      ]),
    ),
  )
}

const api = browserApi({
  apiUrl: () => '/api',
  language: () => 'en_US',
  currentPath: () => location.pathname,
  navigate: () => undefined,
  toast,
  showNotice: (_, text) => toast(text),
  translate: (key) => key,
  onTopicPermission: () => undefined,
  onSignedOut: () => undefined,
  onRenewed: () => undefined,
})

function Page() {
  return (
    <>
      <header style={{ display: 'flex', justifyContent: 'end', padding: 8 }}>
        <Bell />
        <button type="button">After</button>
      </header>
      <main>{location.pathname + location.search}</main>
      <Toasts />
    </>
  )
}

site.set({ apiUrl: '/api', open: { messages: true } } as unknown as Site)
member.set({
  userId: '5',
  account: 'tom',
  nickname: 'Tom',
  avatar: null,
  isOfficial: false,
  preferences: { language: null, theme: null, textSize: null, timeZone: null },
  joining: null,
  leavesAt: null,
})

document.documentElement.lang = 'en'
const router = createBrowserRouter(
  ['/', '/thread', '/user/control/remindList', '/user/control/systemNotifyList'].map((path) => ({ path, Component: Page })),
)
followLinks(router)
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <WordsProvider language="en" messages={words()}>
      <RouterProvider router={router} />
    </WordsProvider>
  </ApiContext>,
)
