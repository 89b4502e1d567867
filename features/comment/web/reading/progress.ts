import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import type { markRead } from '#comment/reading-contract.ts'
import { readHere } from '#comment/web/read-here.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { orderIn } from '#comment/web/order.ts'
import { keepOnDevice, keptOnDevice } from '#comment/web/reading/device.ts'
import { lowestSeen, seenWithoutGap } from '#comment/web/reading/place.ts'

const lookMs = 1_500
const tellMs = 5_000

/** The read position on entry: undefined while it loads, null for a first visit. */
export function useReadBefore(): number | null | undefined {
  const { topic, mine } = useDesk()
  const me = member.use()
  const [before, setBefore] = useState<number | null | undefined>(undefined)
  const now = mine ? mine.readTo : me === null ? keptOnDevice(topic.id) : undefined
  // Later progress does not change the position on entry.
  if (before === undefined && now !== undefined) setBefore(now)
  return before
}

/** Stores the read position: a member's on the server, at intervals and on leaving; a visitor's on the device. */
export function useProgress(before: number | null | undefined): void {
  const api = useApi()
  const { topic } = useDesk()
  const [query] = useSearchParams()
  // Only in order of time does a visible floor imply that those above it were read; the best answer is first in any order.
  const isByTime = topic.kind === 'topic' && orderIn(query, topic.kind) === 'asc'
  const isKnown = before !== undefined
  const tell = useEffectEvent((floor: number) => {
    if (member.get()) tellServer(api, topic.id, floor)
    else keepOnDevice(topic.id, floor)
  })
  const begin = useEffectEvent(() => before ?? -1)
  useEffect(() => {
    if (!isKnown) return
    let told = begin()
    let seen = told
    function look(): void {
      if (document.visibilityState === 'visible') seen = Math.max(seen, isByTime ? lowestSeen() : seenWithoutGap(Math.max(0, seen)))
      readHere.set(topic.id, seen)
    }
    function say(): void {
      if (seen > told) tell(seen)
      told = Math.max(told, seen)
    }
    const leave = () => document.visibilityState === 'hidden' && say()
    const timers = [setInterval(look, lookMs), setInterval(say, tellMs)]
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

function tellServer(api: Api, topicId: string, floor: number): void {
  api
    .write<typeof markRead>('/comment/read', { topicId, floor }, { silent: true, background: true, keepalive: true })
    .catch((error: unknown) => console.info('How far was read is not kept', error))
}
