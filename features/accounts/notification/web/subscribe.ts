import type { BrowserApi } from '#base/web/api.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import type { inboxNews } from '#notification/notification-contract.ts'
import { setCounts, unread } from '#notification/web/unread.ts'

/** Subscribes to the member's inbox while the page is visible: in one tab, which updates the others. */
export function subscribeInbox(api: BrowserApi, signal: AbortSignal): Promise<void> {
  const known = () => Object.values(unread.get()).join('-')
  return listenThroughLeader<typeof inboxNews>(api, '/user/control/inboxNews', 'inbox', {
    input: {},
    lastId: known,
    onUpdate: setCounts,
    signal,
  })
}
