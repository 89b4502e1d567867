import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { useDeleteAll } from '#message/web/delete-all.ts'
import { pathTo, type MailboxView } from '#message/web/mailbox-view.ts'
import type { AuthorView } from '#user/contract.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#message/web/chat.module.css'

type Props = {
  member: AuthorView
  place: MailboxView
  /** The latest message; null where there is none. */ lastId: string | null
  blocking: ReactNode
}

/** The partner, and the actions on the whole conversation. */
export function Head({ member, place, lastId, blocking }: Props) {
  const words = useWords('message')
  const go = useNavigate()
  const deleteAll = useDeleteAll()
  const { id } = member

  async function remove(upTo: string): Promise<void> {
    if (await deleteAll({ of: member, upTo })) await go(pathTo(place), { replace: true })
  }

  return (
    <header className={css.head}>
      <Link to={pathTo(place)} replace className={`icon ${css.back}`} aria-label={words('back')}>
        <Icon name="left" />
      </Link>
      <Avatar of={member} size={32} />
      <h1>
        <Name of={member} withRoles={false} />
      </h1>
      <Menu label={words('actions')}>
        <MenuLink to={`/user/control/home?userId=${id}`}>{words('toHome')}</MenuLink>
        {blocking}
        {lastId !== null && (
          <MenuButton danger onClick={() => void remove(lastId)}>
            {words('deleteAll')}
          </MenuButton>
        )}
      </Menu>
    </header>
  )
}
