import { useEffect, useReducer, useRef, useState } from 'react'
import { member, onMemberLogout } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useLatest } from '#base/editor/latest.ts'
import { createStore } from '#base/web/store.ts'
import type { conversations, ConversationView } from '#message/contract.ts'
import { sent } from '#message/web/outbox.ts'
import type { MailboxView } from '#message/web/mailbox-view.ts'
import { unread } from '#notification/web/notification.tsx'

export type List = Output<typeof conversations>

/** A conversation that left a list: any list when deleted, the requests when accepted. */
type RemovedConversation = { gone: string; from?: MailboxView['in'] }

const changes = createStore<RemovedConversation | null>(null)

/** Announces a change that the list shows: read, deleted, accepted. */
export function announceChange(what: RemovedConversation | null = null): void {
  changes.set(what)
}

const togetherMs = 150

// The list when a conversation was opened: beside it, the list stays the same.
let listBefore: { list: List; place: MailboxView } | null = null
onMemberLogout(() => (listBefore = null))

function isSame(one: MailboxView, other: MailboxView): boolean {
  return one.in === other.in && one.search === other.search
}

/** The loaded conversations, reordered as messages arrive. */
export function useList(first: List, place: MailboxView) {
  const [list, change] = useReducer(applyChange, first, (page) =>
    listBefore && isSame(listBefore.place, place) ? applyChange(listBefore.list, { kind: 'anew', page }) : page,
  )
  const [hasFailed, setFailed] = useState(false)
  const api = useApi()
  const began = useRef({ first, place, of: member.get()?.userId })
  useEffect(() => {
    const before = began.current
    began.current = { first, place, of: member.get()?.userId }
    const goesOn = isSame(before.place, place) && before.of === began.current.of
    if (before.first !== first) change({ kind: goesOn ? 'anew' : 'other', page: first })
  }, [first, place])
  useEffect(() => {
    listBefore = { list, place }
  }, [list, place])

  useReloadOnChange(place, change)

  async function more(): Promise<void> {
    setFailed(false)
    try {
      const input = { ...place, page: list.page + 1 }
      change({ kind: 'more', page: await api.read<typeof conversations>('/user/control/privateMessageList', input, { silent: true }) })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailed(true)
    }
  }
  return { list, more, hasFailed }
}

/** Reloads the first page of the list after any change that may reorder it. */
function useReloadOnChange(place: MailboxView, change: (what: Change) => void): void {
  const api = useApi()
  const latest = useLatest(place)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const left = new AbortController()
    async function read(): Promise<void> {
      try {
        const input = { ...latest.current, page: 1 }
        const options = { silent: true, background: true, signal: left.signal }
        change({ kind: 'anew', page: await api.read<typeof conversations>('/user/control/privateMessageList', input, options) })
      } catch (error) {
        if (!left.signal.aborted && !(error instanceof CallFailed)) throw error
      }
    }
    function soon(): void {
      clearTimeout(timer)
      timer = setTimeout(() => void read(), togetherMs)
    }
    function forget(): void {
      const what = changes.get()
      if (what && (what.from ?? latest.current.in) === latest.current.in) change({ kind: 'gone', userId: what.gone })
    }
    // An answer accepts the request.
    const answered = () => announceChange({ gone: sent.get()?.userId ?? '', from: 'requests' })
    const stops = [...[unread, changes].map(({ watch }) => watch(soon)), changes.watch(forget), sent.watch(answered)]
    left.signal.addEventListener('abort', () => clearTimeout(timer))
    return () => [...stops, () => left.abort()].forEach((stop) => stop())
  }, [api, latest, change])
}

type Change = { kind: 'anew' | 'more' | 'other'; page: List } | { kind: 'gone'; userId: string }

// The current first page, followed by the conversations that were loaded beyond it.
function applyChange(list: List, change: Change): List {
  if (change.kind === 'gone') return { ...list, conversations: list.conversations.filter(({ member }) => member.id !== change.userId) }
  const { page } = change
  if (change.kind === 'other') return page
  if (change.kind === 'more') return { ...page, conversations: together(list.conversations, page.conversations) }
  const isWhole = page.pages <= 1 || list.page === 1
  return isWhole ? page : { ...page, page: list.page, conversations: together(page.conversations, list.conversations) }
}

function together(these: readonly ConversationView[], others: readonly ConversationView[]): ConversationView[] {
  const known = new Set(these.map(({ member }) => member.id))
  return [...these, ...others.filter(({ member }) => !known.has(member.id))]
}
