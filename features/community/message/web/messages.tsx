import type { ReactNode } from 'react'
import { useWords } from '#base/web/words.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Conversations } from '#message/web/list.tsx'
import type { MailboxView } from '#message/web/mailbox-view.ts'
import type { List } from '#message/web/use-list.ts'
import css from '#message/web/messages.module.css'

type Props = { list: List; place: MailboxView; chat?: { with: string; shown: ReactNode } }

/** The conversations, and the open one: side by side on a wide screen, one at a time on a phone. */
export function Messages({ list, place, chat }: Props) {
  const words = useWords('message')
  return (
    <div className={css.both} data-open={chat ? true : undefined}>
      <div className={css.left}>
        <Conversations key={place.in} first={list} place={place} current={chat?.with ?? null} />
      </div>
      <div className={css.right}>
        {chat?.shown ?? (
          <div className={css.none}>
            <Icon name="message" size={40} />
            <p>{words('choose')}</p>
          </div>
        )}
      </div>
    </div>
  )
}
