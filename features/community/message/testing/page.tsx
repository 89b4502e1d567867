import { useEffect, useMemo, useState } from 'react'
// Imported first: it tells zod that the page's policy forbids code from text.
import '#base/web/no-eval.ts'
import { api, query, renderTestPage } from '#base/testing/test-page.tsx'
import { member } from '#account/web/account.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Toasts } from '#base/web/toast.tsx'
import type { MessageView } from '#message/contract.ts'
import { Chat } from '#message/web/chat.tsx'
import { Messages } from '#message/web/messages.tsx'
import { startOutbox } from '#message/web/send-out.ts'
import type { List } from '#message/web/use-list.ts'
import { site, type Site } from '#setting/web/setting.tsx'
import '#base/web/prose.css'
import '#base/web/pictures.css'

/** A test page: a conversation of as many messages as the query says, beside the list if the query says so. */

const many = Number(query.get('many') ?? 0)

const mei = { id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
const unchosen = { language: null, theme: null, textSize: null, timeZone: null }
const messages = Array.from({ length: many }, (_, at): MessageView => {
  const sentAt = new Date(Date.UTC(2026, 0, 1, 8, at)).toISOString()
  return { id: String(1_000 + at), isMine: at % 3 === 0, segments: [{ html: `<p>Line ${at}</p>` }], sentAt, key: null, envelopeId: null }
})
const first = {
  member: mei,
  messages,
  hasMore: many > 0,
  hasNewer: query.has('newer'),
  lastId: messages.at(-1)?.id ?? null,
  unread: Number(query.get('unread') ?? 0),
  request: null,
  closed: null,
  needsCaptcha: false,
}

const place = { in: 'inbox', search: '' } as const
const listed = Number(query.get('list') ?? 0)

/** The first page of as many conversations as the query says. */
function listOf(name: string): List {
  const conversations = Array.from({ length: Math.min(30, listed) }, (_, at) => conversationWith(String(100 + at), `${name} ${at}`))
  return { conversations, requests: 0, total: listed, page: 1, pages: Math.ceil(listed / 30) }
}

function conversationWith(id: string, name: string): List['conversations'][number] {
  const last = { id: `${2_000 - Number(id)}`, isMine: false, text: `I am ${name}`, file: null, sentAt: '2026-01-01T08:00:00.000Z' }
  return { member: { ...mei, id, name }, last, lastId: last.id, unread: 0 }
}

/** The member for whom the page was loaded. */
function useWhoIsHere(): string {
  const [name, setName] = useState('Tom')
  useEffect(() => {
    const changeMember = ({ detail }: CustomEventInit<string>) => {
      member.set(null)
      member.set({
        userId: '6',
        account: 'bo',
        nickname: detail ?? '',
        avatar: null,
        isOfficial: false,
        preferences: unchosen,
        joining: null,
        leavesAt: null,
      })
      setName(detail ?? '')
    }
    addEventListener('come', changeMember)
    return () => removeEventListener('come', changeMember)
  }, [])
  return name
}

function Page() {
  const name = useWhoIsHere()
  const list = useMemo(() => listOf(`Friend of ${name}`), [name])
  const chat = <Chat first={first} place={place} messageId={null} blocking={null} unblock={null} />
  return (
    <main>
      <div style={{ height: 'calc(100vh - 20px)' }}>
        {listed > 0 ? (
          <Messages key={query.has('stays') ? '' : name} list={list} place={place} chat={{ with: mei.id, shown: chat }} />
        ) : (
          chat
        )}
      </div>
      <Toasts />
      <DialogHost />
    </main>
  )
}

site.set({
  apiUrl: '/api',
  aiAssistantParameter: { allowChat: false },
  hiddenTools: { topic: [], comment: [], reply: [] },
  open: { messages: true },
} as unknown as Site)
member.set({
  userId: '5',
  account: 'tom',
  nickname: 'Tom',
  avatar: null,
  isOfficial: false,
  preferences: unchosen,
  joining: null,
  leavesAt: null,
})
startOutbox(api)
renderTestPage([{ path: '*', Component: Page }])
