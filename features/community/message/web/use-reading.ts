import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import type { markRead, MessageView } from '#message/contract.ts'
import { isLater } from '#message/web/merge.ts'
import type { Chat } from '#message/web/chat-state.ts'
import { announceChange } from '#message/web/use-list.ts'
import { loadCounts } from '#notification/web/notification.tsx'

const restMs = 300

/** Marks messages as read that were in view while the page was visible, and no later ones. */
export function useReading(box: RefObject<HTMLElement | null>, chat: Chat): void {
  const api = useApi()
  const reader = useRef<Reader>(null)
  useEffect(() => {
    const left = new AbortController()
    const now = createReader(api, box)
    reader.current = now
    box.current?.addEventListener('scroll', now.look, { passive: true, signal: left.signal })
    document.addEventListener('visibilitychange', now.look, { signal: left.signal })
    return () => {
      left.abort()
      now.end()
    }
  }, [api, box])
  // Runs after the first scroll position is set.
  useLayoutEffect(() => {
    const timer = setTimeout(() => reader.current?.show(chat))
    return () => clearTimeout(timer)
  }, [chat])
}

type Reader = { show(chat: Chat): void; look: () => void; end: () => void }

function createReader(api: BrowserApi, box: RefObject<HTMLElement | null>): Reader {
  let visibleChat: Chat | null = null
  let readTo: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function mark(): Promise<void> {
    const before = readTo
    const upTo = visibleChat && box.current && lastSeen(box.current, visibleChat.messages)
    if (!visibleChat || !upTo || document.visibilityState !== 'visible' || (readTo && !isLater(upTo, readTo))) return
    readTo = upTo
    try {
      const quietly = { silent: true, background: true }
      await api.write<typeof markRead>('/user/control/markPrivateMessagesAsRead', { userId: visibleChat.member.id, upTo }, quietly)
      announceChange()
      await loadCounts(api)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      readTo = before
    }
  }

  function look(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void mark(), restMs)
  }

  return {
    look,
    show(chat) {
      if (!visibleChat) readTo = chat.unread === 0 ? lastOfTheirs(chat.messages) : null
      visibleChat = chat
      look()
    },
    end: () => clearTimeout(timer),
  }
}

function lastOfTheirs(messages: readonly MessageView[]): string | null {
  return messages.findLast(({ isMine }) => !isMine)?.id ?? null
}

/** The latest of the partner's messages whose beginning is in view, or above it. */
function lastSeen(box: HTMLElement, messages: readonly MessageView[]): string | null {
  const { bottom } = box.getBoundingClientRect()
  const isSeen = ({ id }: MessageView) => {
    const place = box.querySelector(`#message-${id}`)
    return place !== null && place.getBoundingClientRect().top < bottom - 16
  }
  return messages.findLast((message) => !message.isMine && isSeen(message))?.id ?? null
}
