import { later } from '#base/web/lazy-part.ts'
import { Popover } from '#base/web/popover.tsx'
import { useWords } from '#base/web/words.tsx'
import { listPath } from '#message/web/mailbox-view.ts'
import { shortCount, unread } from '#notification/web/unread.ts'
import css from '#apps/web/messages-button.module.css'

/** The latest conversations, with the unread count. A narrow screen has them in the bottom navigation. */
export function MessagesButton() {
  const words = useWords('message')
  const { privateMessageCount: count } = unread.use()
  return (
    <span className={css.wide}>
      <Popover
        icon="message"
        label={words('button', { count, shown: shortCount(count) })}
        title={words('messages')}
        to={listPath}
        badge={count > 0 ? shortCount(count) : null}
        load={() => later(import('#message/web/latest.tsx'))}
      />
    </span>
  )
}
