import { useEffect, useReducer, useRef, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useLatest } from '#base/web/editor/latest.ts'
import type { conversation, MessageView } from '#message/contract.ts'
import { firstUnread } from '#message/web/first-unread.ts'
import { sent } from '#message/web/outbox.ts'
import { isLater, merged, type Conversation, type Loaded } from '#message/web/thirty.ts'
import { unread } from '#notice/web/notice.tsx'

export type Chat = Omit<Loaded, 'hasMore'> & {
  hasOlder: boolean
  /** The first of what was not read when it came. */
  newFrom: string | null
  /** What could not be had. */
  failed: 'older' | 'newer' | null
}

type Change =
  | { kind: 'loaded'; anew: Loaded }
  | { kind: 'older' | 'newer'; more: Conversation }
  | { kind: 'came'; more: Conversation; isSeen: boolean }
  | { kind: 'sent'; message: MessageView }
  | { kind: 'deleted'; id: string }
  | { kind: 'failed'; way: Chat['failed'] }

/** What the two wrote, as far as it is here, and what comes to it: older ones, new ones, one's own. */
export function useChat(first: Loaded, isLookedAt: () => boolean) {
  const [chat, change] = useReducer(changed, first, begun)
  const userId = first.member.id
  useLoadedAnew(first, change)
  const load = useLoading(userId, chat, change, isLookedAt)

  const { catchUp } = load
  useEffect(() => {
    const told = () => `${unread.get().lastMessageId} ${unread.get().privateMessageCount}`
    let known = told()
    const stop = unread.watch(() => {
      if (told() === known) return
      known = told()
      catchUp()
    })
    addEventListener('online', catchUp)
    return () => {
      stop()
      removeEventListener('online', catchUp)
    }
  }, [catchUp])
  useEffect(
    () =>
      sent.watch(() => {
        const news = sent.get()
        if (news?.userId === userId) change({ kind: 'sent', message: news.message })
      }),
    [userId],
  )
  return { chat, ...load, forget: (id: string) => change({ kind: 'deleted', id }) }
}

/** What the page loads anew takes its place among what is here. */
function useLoadedAnew(first: Loaded, change: (what: Change) => void): void {
  const began = useRef(first)
  useEffect(() => {
    if (began.current === first) return
    began.current = first
    change({ kind: 'loaded', anew: first })
  }, [first, change])
}

function useLoading(userId: string, chat: Chat, change: (what: Change) => void, isLookedAt: () => boolean) {
  const api = useApi()
  const latest = useLatest({ chat, isLookedAt })
  const [loading] = useState(() => {
    const read = (way: { before?: string; after?: string }) =>
      api.read<typeof conversation>('/user/control/privateMessageChatList', { userId, ...way }, { silent: true, background: true })
    return loadingBy({ read, change, chat: () => latest.current.chat, isLookedAt: () => latest.current.isLookedAt() })
  })
  return loading
}

type Terms = {
  read(way: { before?: string; after?: string }): Promise<Conversation>
  change(what: Change): void
  chat(): Chat
  isLookedAt(): boolean
}

function loadingBy({ read, change, chat, isLookedAt }: Terms) {
  let isBusy = false
  let isCatchingUp = false
  let isStirred = false

  async function further(kind: 'older' | 'newer'): Promise<void> {
    const [first, last] = [chat().messages[0], chat().messages.at(-1)]
    if (isBusy || !first || !last) return
    isBusy = true
    try {
      change({ kind, more: await read(kind === 'older' ? { before: first.id } : { after: last.id }) })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      change({ kind: 'failed', way: kind })
    } finally {
      isBusy = false
    }
  }

  // However often it is told that there is something new, one asks at a time, and once more for what was told meanwhile.
  async function catchUp(): Promise<void> {
    isStirred = true
    if (isCatchingUp) return
    isCatchingUp = true
    try {
      while (isStirred && !chat().hasNewer) {
        isStirred = false
        const last = chat().messages.at(-1)?.id
        const more = await read(last ? { after: last } : {})
        change({ kind: 'came', more, isSeen: isLookedAt() })
        isStirred ||= more.hasMore && last !== undefined
        // What came is here before more is asked for.
        await new Promise((drawn) => setTimeout(drawn, 50))
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
    } finally {
      isCatchingUp = false
    }
  }

  return { older: () => void further('older'), newer: () => void further('newer'), catchUp: () => void catchUp() }
}

function begun({ hasMore, ...loaded }: Loaded): Chat {
  return { ...loaded, hasOlder: hasMore, newFrom: firstUnread(loaded.messages, loaded.unread), failed: null }
}

function changed(chat: Chat, change: Change): Chat {
  switch (change.kind) {
    case 'loaded':
      return loadedAnew(chat, change.anew)
    case 'older':
      return withNewFrom({ ...chat, failed: null, hasOlder: change.more.hasMore, messages: [...change.more.messages, ...chat.messages] })
    case 'newer':
      return { ...chat, failed: null, hasNewer: change.more.hasMore, messages: merged(chat.messages, change.more.messages) }
    case 'came':
      return withCome(chat, change.more, change.isSeen)
    case 'sent':
      // Who answers has read.
      return chat.hasNewer ? chat : { ...chat, newFrom: null, messages: merged(chat.messages, [change.message]) }
    case 'deleted':
      return { ...chat, messages: chat.messages.filter(({ id }) => id !== change.id) }
    case 'failed':
      return { ...chat, failed: change.way }
  }
}

// Of what is unread the first may be older than what is here.
function withNewFrom(chat: Chat): Chat {
  return chat.newFrom || chat.unread === 0 ? chat : { ...chat, newFrom: firstUnread(chat.messages, chat.unread) }
}

function loadedAnew(chat: Chat, { hasMore, ...anew }: Loaded): Chat {
  const [known, first] = [chat.messages.at(-1), anew.messages[0]]
  // Nothing tells what lies between.
  if (!known || !first || isLater(first.id, known.id)) return { ...begun({ hasMore, ...anew }), newFrom: chat.newFrom }
  return { ...chat, ...anew, hasNewer: chat.hasNewer && anew.hasNewer, messages: merged(chat.messages, anew.messages) }
}

function withCome(chat: Chat, more: Conversation, isSeen: boolean): Chat {
  const last = chat.messages.at(-1)
  const theirs = more.messages.find(({ id, isMine }) => !isMine && (!last || isLater(id, last.id)))
  const newFrom = theirs && !isSeen && !isStillNew(chat) ? theirs.id : chat.newFrom
  return { ...chat, ...more, newFrom, messages: merged(chat.messages, more.messages) }
}

function isStillNew({ newFrom, unread }: Chat): boolean {
  return newFrom !== null && unread > 0
}
