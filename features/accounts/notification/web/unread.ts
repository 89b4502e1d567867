import { onMemberLogout } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { createStore } from '#base/web/store.ts'
import type { maxUnreadCount, unreadMessageCount } from '#notification/contract.ts'

type Counts = Output<typeof unreadMessageCount>

let requestCount = 0
const nothing: Counts = { privateMessageCount: 0, systemNotifyCount: 0, remindCount: 0, messageRevision: '0' }

/** The unread counts, as last loaded or pushed. */
export const unread = createStore<Counts>(nothing)
onMemberLogout(() => setCounts(nothing))

/** Not the contract's own constant, which would pull the contract into every reader's bundle. */
const maxCount = 100 satisfies typeof maxUnreadCount

export function shortCount(count: number): string {
  return count < maxCount ? String(count) : `${maxCount - 1}+`
}

/** A pushed count. Requests that started before it may be older, and are ignored. */
export function setCounts(counts: Counts): void {
  requestCount++
  unread.set(counts)
}

/** Loads the counts. Of several requests in flight, the one that started last wins. */
export async function loadCounts(api: Api): Promise<void> {
  const turn = ++requestCount
  try {
    const counts = await api.read<typeof unreadMessageCount>('/user/control/unreadMessageCount', {}, { silent: true, background: true })
    if (turn === requestCount) unread.set(counts)
  } catch (error) {
    console.info('Nobody could say how much is unread', error)
  }
}
