import { useEffect, useReducer, useRef, useState } from 'react'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useLatest } from '#base/editor/latest.ts'
import type { conversation } from '#message/contract.ts'
import { initialChat, applyChange, isAfterGap, type Change, type Chat } from '#message/web/chat-state.ts'
import { sent } from '#message/web/outbox.ts'
import type { Conversation, Loaded } from '#message/web/merge.ts'
import { unread } from '#notification/web/notification.tsx'

/** The loaded part of a conversation, and its changes: older, new and own messages. */
export function useChat(first: Loaded, isLookedAt: () => boolean) {
  const [chat, change] = useReducer(applyChange, first, initialChat)
  const userId = first.member.id
  useReloads(first, change)
  const load = useLoading(userId, chat, change, isLookedAt)

  const { catchUp } = load
  useEffect(() => {
    const currentRevision = () => unread.get().messageRevision
    let known = currentRevision()
    const stop = unread.watch(() => {
      if (currentRevision() === known) return
      known = currentRevision()
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

/** Merges reloaded data of the page into the state, unless it is of another conversation. */
function useReloads(first: Loaded, change: (what: Change) => void): void {
  const began = useRef({ first, of: member.get()?.userId })
  useEffect(() => {
    const before = began.current
    if (before.first === first) return
    began.current = { first, of: member.get()?.userId }
    change({ kind: before.of === began.current.of ? 'loaded' : 'other', anew: first })
  }, [first, change])
}

function useLoading(userId: string, chat: Chat, change: (what: Change) => void, isLookedAt: () => boolean) {
  const api = useApi()
  const latest = useLatest({ chat, isLookedAt })
  const [loading] = useState(() => {
    const read = (way: { before?: string; after?: string }) =>
      api.read<typeof conversation>('/user/control/privateMessageChatList', { userId, ...way }, { silent: true, background: true })
    return createLoader({ read, change, chat: () => latest.current.chat, isLookedAt: () => latest.current.isLookedAt() })
  })
  return loading
}

type ChatOptions = {
  read(way: { before?: string; after?: string }): Promise<Conversation>
  change(what: Change): void
  chat(): Chat
  isLookedAt(): boolean
}

function createLoader({ read, change, chat, isLookedAt }: ChatOptions) {
  let isBusy = false

  async function further(kind: 'older' | 'newer'): Promise<void> {
    const { messages, knownTo } = chat()
    const [first] = messages
    if (isBusy || !first || !knownTo) return
    isBusy = true
    try {
      change({ kind, more: await read(kind === 'older' ? { before: first.id } : { after: knownTo }) })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      change({ kind: 'failed', way: kind })
    } finally {
      isBusy = false
    }
  }

  return {
    older: () => void further('older'),
    newer: () => void further('newer'),
    catchUp: createCatchUp({ read, change, chat, isLookedAt }),
  }
}

function createCatchUp({ read, change, chat, isLookedAt }: ChatOptions): () => void {
  let isBusy = false
  let isStirred = false

  // Coalesces announcements: one request at a time, and one more for those that arrived meanwhile.
  async function catchUp(): Promise<void> {
    isStirred = true
    if (isBusy) return
    isBusy = true
    try {
      while (isStirred) {
        isStirred = false
        await learnLatest()
        // Render before requesting more.
        await new Promise((drawn) => setTimeout(drawn, 50))
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
    } finally {
      isBusy = false
    }
  }

  // Loads the latest messages. The gap between these and the known ones is filled first, page by page.
  async function learnLatest(): Promise<void> {
    const askedAt = chat().messages.at(-1)?.id ?? null
    const latest = await read({})
    const { knownTo, hasNewer } = chat()
    if (hasNewer || knownTo === null || !isAfterGap(chat(), latest))
      return change({ kind: 'latest', latest, askedAt, isSeen: isLookedAt() })
    const more = await read({ after: knownTo })
    change({ kind: 'came', more, isSeen: isLookedAt() })
    isStirred ||= more.messages.length > 0
  }

  return () => void catchUp()
}
