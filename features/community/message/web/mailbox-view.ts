/** The folder and search in the URL. */
export type MailboxView = { in: 'inbox' | 'requests'; search: string }

export const listPath = '/user/control/privateMessageList'
const chatPath = '/user/control/privateMessageChatList'

/** The path of the conversations, or of one of them, and of a message in it; folder and search stay. */
export function pathTo({ in: folder, search }: MailboxView, chat?: { userId: string; messageId?: string | null }): string {
  const query = new URLSearchParams({
    ...(chat && { userId: chat.userId }),
    ...(chat?.messageId && { messageId: chat.messageId }),
    ...(folder === 'requests' && { in: folder }),
    ...(search && { search }),
  })
  return `${chat ? chatPath : listPath}${query.size > 0 ? `?${query}` : ''}`
}

export function viewIn(query: URLSearchParams): MailboxView {
  return { in: query.get('in') === 'requests' ? 'requests' : 'inbox', search: (query.get('search') ?? '').trim().slice(0, 100) }
}
