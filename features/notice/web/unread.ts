import { whenMemberLeaves } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { storeOf } from '#base/web/store.ts'
import type { countedUnread, unreadMessageCount } from '#notice/contract.ts'

type Counts = Output<typeof unreadMessageCount>

let asked = 0
const nothing: Counts = { privateMessageCount: 0, systemNotifyCount: 0, remindCount: 0, messageRevision: '0' }

/** How much waits to be read, as far as was asked or told. */
export const unread = storeOf<Counts>(nothing)
whenMemberLeaves(() => hearCounts(nothing))

/** Not the contract's own number, which would bring the contract to every reader. */
const most = 100 satisfies typeof countedUnread

export function shortOf(count: number): string {
  return count < most ? String(count) : `${most - 1}+`
}

/** The stream says how much there is. What was asked before that may be older, and is told no more. */
export function hearCounts(counts: Counts): void {
  asked++
  unread.set(counts)
}

/** Asks anew how much there is. Of several answers on their way, the one asked for last stands. */
export async function learn(api: Api): Promise<void> {
  const turn = ++asked
  try {
    const counts = await api.read<typeof unreadMessageCount>('/user/control/unreadMessageCount', {}, { silent: true, background: true })
    if (turn === asked) unread.set(counts)
  } catch (error) {
    console.info('Nobody could say how much is unread', error)
  }
}
