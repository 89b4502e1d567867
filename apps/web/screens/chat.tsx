import { useLoaderData } from 'react-router'
import type { ChatData } from '#apps/web/screens/messages.data.ts'
import { Blocking, BlockingItems } from '#follow/web/blocking.tsx'
import { Chat } from '#message/web/chat.tsx'
import { Messages } from '#message/web/messages.tsx'

export function Page() {
  const { list, place, chat, messageId, relation } = useLoaderData<ChatData>()
  const { member } = chat
  const blocks = { of: member, way: relation.way }
  const content = (
    <Chat
      key={`${member.id} ${messageId}`}
      first={chat}
      place={place}
      messageId={messageId}
      blocking={member.isDeactivated ? null : <BlockingItems {...blocks} />}
      unblock={<Blocking {...blocks} />}
    />
  )
  return <Messages list={list} place={place} chat={{ with: member.id, shown: content }} />
}
