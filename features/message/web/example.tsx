import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
// First, for it tells zod that the page's policy allows no code from text.
import '#base/web/no-eval.ts'
import { member } from '#account/web/account.tsx'
import { ApiContext } from '#base/web/api.ts'
import { Asked } from '#base/web/asked.tsx'
import { browserApi } from '#base/web/call.ts'
import { say, Toasts } from '#base/web/toast.tsx'
import { Words, type Messages } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import type { MessageView } from '#message/contract.ts'
import { Chat } from '#message/web/chat.tsx'
import { startOutbox } from '#message/web/send-out.ts'
import { site, type Site } from '#setting/web/setting.tsx'
import '#base/web/style.css'
import '#base/web/prose.css'

/** A page of its own for tests: a talk with somebody, of as many messages as it is asked for. */
const query = new URLSearchParams(location.search)
const many = Number(query.get('many') ?? 0)
const files = import.meta.glob<Record<string, string>>(
  ['../../../base/words/*/en.json', '../words/en.json', '../../{account,captcha,file,notice,user}/words/en.json'],
  { eager: true, import: 'default' },
)

function words(): Messages {
  return messagesOf(
    Object.fromEntries(
      Object.entries(files).map(([path, texts]) => [
        /(\w+)\/(?:words\/)?en\.json$/.exec(path.replace(/^\.\.\/words/, 'message/words'))?.[1] ?? path,
        texts,
      ]),
    ),
  )
}

const api = browserApi({
  apiUrl: () => '/api',
  language: () => 'en_US',
  here: () => location.pathname,
  navigate: () => undefined,
  say,
  notice: (_, text) => say(text),
  words: (key) => key,
  topicDetailPermission: () => undefined,
  signedOut: () => undefined,
  renewed: () => undefined,
})

const mei = { id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
const messages = Array.from({ length: many }, (_, at): MessageView => {
  const sentAt = new Date(Date.UTC(2026, 0, 1, 8, at)).toISOString()
  return { id: String(1_000 + at), isMine: at % 3 === 0, segments: [{ html: `<p>Line ${at}</p>` }], sentAt, key: null }
})
const first = {
  member: mei,
  messages,
  hasMore: many > 0,
  hasNewer: false,
  unread: Number(query.get('unread') ?? 0),
  request: null,
  closed: null,
  needsCaptcha: false,
}

function Page() {
  return (
    <main>
      <div style={{ height: 'calc(100vh - 20px)' }}>
        <Chat first={first} place={{ in: 'inbox', search: '' }} messageId={null} blocking={null} unblock={null} />
      </div>
      <Toasts />
      <Asked />
    </main>
  )
}

site.set({ apiUrl: '/api', hiddenTools: { topic: [], comment: [], reply: [] }, open: { messages: true } } as unknown as Site)
member.set({ userId: '5', account: 'tom', nickname: 'Tom', avatar: null, isOfficial: false })
document.documentElement.lang = 'en'
startOutbox(api)
createRoot(document.getElementById('root') ?? document.body).render(
  <ApiContext value={api}>
    <Words language="en" messages={words()}>
      <RouterProvider router={createBrowserRouter([{ path: '*', Component: Page }])} />
    </Words>
  </ApiContext>,
)
