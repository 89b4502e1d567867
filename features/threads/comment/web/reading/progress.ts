import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import type { markRead } from '#comment/reading-contract.ts'
import { localReadPositions } from '#comment/web/local-read-positions.ts'
import { useThread } from '#comment/web/thread-context.tsx'
import { orderIn } from '#comment/web/order.ts'
import { storeReadPosition, storedReadPosition } from '#comment/web/reading/stored-read-positions.ts'
import { highestFloorSeen, seenWithoutGap } from '#comment/web/reading/scroll-anchor.ts'

const checkMs = 1_500
const saveMs = 5_000

/** The read position on entry: undefined while it loads, null for a first visit. */
export function usePositionOnEntry(): number | null | undefined {
  const { topic, mine } = useThread()
  const me = member.use()
  const [before, setBefore] = useState<number | null | undefined>(undefined)
  const now = mine ? mine.readTo : me === null ? storedReadPosition(topic.id) : undefined
  // Later progress does not change the position on entry.
  if (before === undefined && now !== undefined) setBefore(now)
  return before
}

/** Stores the read position: a member's on the server, at intervals and on leaving; a visitor's on the device. */
export function useReadProgress(before: number | null | undefined): void {
  const api = useApi()
  const { topic } = useThread()
  const [query] = useSearchParams()
  // Only in order of time does a visible floor imply that those above it were read; the best answer is first in any order.
  const isByTime = topic.kind === 'topic' && orderIn(query, topic.kind) === 'asc'
  const isKnown = before !== undefined
  const save = useEffectEvent((floor: number) => {
    if (member.get()) saveOnServer(api, topic.id, floor)
    else storeReadPosition(topic.id, floor)
  })
  const begin = useEffectEvent(() => before ?? -1)
  useEffect(() => {
    if (!isKnown) return
    let saved = begin()
    let seen = saved
    function look(): void {
      if (document.visibilityState === 'visible') seen = Math.max(seen, isByTime ? highestFloorSeen() : seenWithoutGap(Math.max(0, seen)))
      localReadPositions.set(topic.id, seen)
    }
    function say(): void {
      if (seen > saved) save(seen)
      saved = Math.max(saved, seen)
    }
    const leave = () => document.visibilityState === 'hidden' && say()
    const timers = [setInterval(look, checkMs), setInterval(say, saveMs)]
    document.addEventListener('visibilitychange', leave)
    addEventListener('pagehide', say)
    return () => {
      for (const timer of timers) clearInterval(timer)
      document.removeEventListener('visibilitychange', leave)
      removeEventListener('pagehide', say)
      say()
    }
  }, [isKnown, isByTime, topic.id])
}

function saveOnServer(api: Api, topicId: string, floor: number): void {
  api
    .write<typeof markRead>('/comment/read', { topicId, floor }, { silent: true, background: true, keepalive: true })
    .catch((error: unknown) => console.info('How far was read is not kept', error))
}
