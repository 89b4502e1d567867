import type { Api, Output } from '#base/contract.ts'
import { idIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { followOfMember } from '#follow/contract.ts'
import type { conversation, conversations } from '#message/contract.ts'
import { firstUnread } from '#message/web/first-unread.ts'
import { viewIn, type MailboxView } from '#message/web/mailbox-view.ts'
import type { Loaded } from '#message/web/merge.ts'

const maxFurtherPages = 5

export type ListData = { list: Output<typeof conversations>; place: MailboxView }
export type ChatData = ListData & { chat: Loaded; messageId: string | null; relation: Output<typeof followOfMember> }

async function loadList({ api, url }: LoaderArgs): Promise<ListData> {
  const place = viewIn(url.searchParams)
  return { place, list: await api.read<typeof conversations>('/user/control/privateMessageList', place) }
}

async function loadChat(args: LoaderArgs): Promise<ChatData> {
  const { api, url } = args
  const userId = idIn(url.searchParams, 'userId')
  if (!userId) throw new Response('base.missing', { status: 404 })
  const messageId = idIn(url.searchParams, 'messageId') ?? null
  const [listed, chat, relation] = await Promise.all([
    loadList(args),
    messageId ? around(api, userId, messageId) : latest(api, userId),
    api.read<typeof followOfMember>('/follow/member', { userId }),
  ])
  return { ...listed, chat, messageId, relation }
}

/** The latest messages back to the first unread one, up to a limit. */
async function latest(api: Api, userId: string): Promise<Loaded> {
  let chat = await api.read<typeof conversation>('/user/control/privateMessageChatList', { userId })
  for (let more = 0; more < maxFurtherPages && chat.hasMore && chat.unread > 0 && !firstUnread(chat.messages, chat.unread); more++) {
    const before = chat.messages[0]?.id ?? ''
    const { messages, hasMore } = await api.read<typeof conversation>('/user/control/privateMessageChatList', { userId, before })
    chat = { ...chat, hasMore, messages: [...messages, ...chat.messages] }
  }
  return { ...chat, hasNewer: false }
}

/** The messages up to a given one, and those after it. */
async function around(api: Api, userId: string, messageId: string): Promise<Loaded> {
  const [until, after] = await Promise.all([
    api.read<typeof conversation>('/user/control/privateMessageChatList', { userId, before: String(BigInt(messageId) + 1n) }),
    api.read<typeof conversation>('/user/control/privateMessageChatList', { userId, after: messageId }),
  ])
  return { ...until, messages: [...until.messages, ...after.messages], hasNewer: after.hasMore }
}

/** Private messages. */
export const messages: readonly Screen[] = [
  {
    path: '/user/control/privateMessageList',
    file: '/apps/web/screens/messages.tsx',
    load: loadList,
  },
  {
    path: '/user/control/privateMessageChatList',
    file: '/apps/web/screens/chat.tsx',
    load: loadChat,
    head: ({ chat }: ChatData) => ({ title: chat.member.name, isPrivate: true }),
  },
]
