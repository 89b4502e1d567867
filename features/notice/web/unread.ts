import type { Api } from '#base/contract.ts'
import { storeOf } from '#base/web/store.ts'
import type { unreadMessageCount } from '#notice/contract.ts'

/** How many notices wait to be read, as far as was asked. */
export const unread = storeOf(0)

let asked = 0

/** Asks anew how many there are. Of several answers on their way, the one asked for last stands. */
export async function learn(api: Api): Promise<void> {
  const turn = ++asked
  try {
    const counts = await api.read<typeof unreadMessageCount>('/user/control/unreadMessageCount', {}, { silent: true, background: true })
    const { privateMessageCount, systemNotifyCount, remindCount } = counts
    if (turn === asked) unread.set(privateMessageCount + systemNotifyCount + remindCount)
  } catch (error) {
    console.info('Nobody could say how much is unread', error)
  }
}
