import { useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ConversationView } from '#message/contract.ts'
import { useDraft } from '#message/web/use-draft.ts'
import { useDeleteAll } from '#message/web/delete-all.ts'
import { useLongPress } from '#message/web/long-press.ts'
import { pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import { When } from '#message/web/when.tsx'
import { Count } from '#notification/web/notification.tsx'
import { Avatar } from '#user/web/user.tsx'
import css from '#message/web/list.module.css'

type Props = { of: ConversationView; place: MailboxView; isCurrent: boolean }

/** One conversation: the partner, its latest message, and the number unread. */
export function Row({ of, place, isCurrent }: Props) {
  const { member, lastId, unread } = of
  const words = useWords('message')
  const press = useLongPress()
  const go = useNavigate()
  const deleteAll = useDeleteAll()

  async function remove(): Promise<void> {
    if ((await deleteAll({ of: member, upTo: lastId })) && isCurrent) await go(pathTo(place), { replace: true })
  }

  return (
    <li className={css.row} data-current={isCurrent || undefined} data-unread={unread > 0 || undefined} {...press}>
      <RowLink of={of} place={place} isCurrent={isCurrent} />
      <span className={css.actions}>
        <Menu label={words('actionsWith', { name: member.name })}>
          <MenuButton danger onClick={() => void remove()}>
            {words('deleteAll')}
          </MenuButton>
        </Menu>
      </span>
    </li>
  )
}

/** The link to a conversation, with its latest message. */
export function RowLink({ of: { member, last, unread }, place, isCurrent }: Props) {
  const userWords = useWords('user')
  const drafted = useDraft(member.id)
  const to = pathTo(place, { userId: member.id, messageId: place.search ? last.id : null })
  return (
    <Link to={to} aria-current={isCurrent ? 'true' : undefined}>
      <Avatar of={member} size={40} />
      <span className={css.what}>
        <span className={css.who}>
          <span className={css.name}>
            <Highlighted text={member.name} search={place.search} />
          </span>
          {member.isOfficial && <span className={css.official}>{userWords('official')}</span>}
          <When at={last.sentAt} />
        </span>
        <span className={css.last}>
          <span className={css.text}>
            <Snippet of={last} draft={isCurrent || place.search ? null : drafted} search={place.search} />
          </span>
          <Count of={unread} />
        </span>
      </span>
    </Link>
  )
}

/** The draft, or else the latest message. */
function Snippet({ of: last, draft, search }: { of: ConversationView['last']; draft: string | null; search: string }) {
  const words = useWords('message')
  if (draft)
    return (
      <>
        <em className={css.draft}>{words('draft')}</em>
        <bdi>{draft}</bdi>
      </>
    )
  return (
    <>
      {last.isMine && words('mine')}
      <bdi>
        <Highlighted text={last.file === null ? last.text || words('picture') : words('file', { name: last.file })} search={search} />
      </bdi>
    </>
  )
}

/** Marks the match of the search. */
function Highlighted({ text, search }: { text: string; search: string }) {
  const at = search ? text.toLowerCase().indexOf(search.toLowerCase()) : -1
  if (at < 0) return text
  // A match far from the beginning would be cut off.
  const from = at > 24 ? at - 12 : 0
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, at)}
      <mark>{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  )
}
