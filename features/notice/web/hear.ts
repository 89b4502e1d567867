import type { BrowserApi } from '#base/web/api.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import type { inboxNews } from '#notice/reminder-contract.ts'
import { hearCounts, unread } from '#notice/web/unread.ts'

/** Listens to one's inbox for as long as the page is looked at: in one tab, which tells the others. */
export function hearInbox(api: BrowserApi, signal: AbortSignal): Promise<void> {
  const known = () => Object.values(unread.get()).join('-')
  return listenThroughLeader<typeof inboxNews>(api, '/user/control/inboxNews', 'inbox', { input: {}, known, tell: hearCounts, signal })
}
