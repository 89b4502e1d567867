import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import type { Me } from '#account/web/account.tsx'
import { useLogout } from '#account/web/sign-in.ts'
import { AssistantButton } from '#assistant/web/assistant.tsx'
import { useWatchNotifications } from '#follow/web/watch-notifications.ts'
import { TermsPrompt } from '#help/web/terms-prompt.tsx'
import { StayDialog } from '#leaving/web/leaving.tsx'
import { Bell } from '#notification/web/notification.tsx'
import { overflowSections, SectionLinks } from '#frame/web/frame.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { Preferences } from '#apps/web/menu-preferences.tsx'
import { MessagesButton } from '#apps/web/messages-button.tsx'
import { Avatar } from '#user/web/user.tsx'
import { memberTree, memberPagePath, type MemberPageName } from '#apps/web/member-pages.ts'
import css from '#apps/web/account-area.module.css'
import own from '#apps/web/member-menu.module.css'

const { content, wallet } = memberTree.tabs

/** The most visited pages, in two groups. */
const inMenu: readonly (readonly (readonly [MemberPageName, string])[])[] = [
  [
    ['home', 'user.home'],
    ['topicList', content.word],
    ['draftList', 'draft.drafts'],
    ['favoriteList', 'user.favourites'],
  ],
  [
    ['point', wallet.word],
    ['settings', 'user.settings'],
  ],
]

/** Pending items, and a member's own pages in the menu of their avatar. */
export function MemberMenu({ me }: { me: Me }) {
  const words = useWords('site')
  const say = useTranslate()
  const logOut = useLogout()
  useWatchNotifications()
  const name = me.nickname ?? me.account
  return (
    <>
      <AssistantButton />
      <MessagesButton />
      <Bell />
      <button type="button" className={css.me} popoverTarget="account-menu" aria-label={words('menuOf', { name })}>
        <Avatar of={{ id: me.userId, name, avatar: me.avatar }} size={32} />
      </button>
      <nav id="account-menu" popover="auto" className={css.menu} aria-label={words('menu')}>
        <p>{name}</p>
        {inMenu.map((places, group) => (
          <ul key={group} className={own.group}>
            {places.map(([place, word]) => (
              <li key={place}>
                <MenuLink to={memberPagePath(place)}>{say(word)}</MenuLink>
              </li>
            ))}
          </ul>
        ))}
        {me.isOfficial && <Administration />}
        <FurtherSections />
        <Preferences isMenu />
        <button type="button" onClick={() => void logOut()} popoverTarget="account-menu" popoverTargetAction="hide">
          {words('logOut')}
        </button>
      </nav>
      <TermsPrompt memberId={me.userId} />
      {me.leavesAt !== null && <StayDialog until={me.leavesAt} />}
    </>
  )
}

/** The sections without a place in a phone's bottom navigation. */
function FurtherSections() {
  const further = overflowSections(useSite().frame.sections)
  return (
    further.length > 0 && (
      <div className={own.sections}>
        <SectionLinks of={further} />
      </div>
    )
  )
}

/** Staff's links to the administration, and to the admin screen of the current page. */
function Administration() {
  const words = useWords('site')
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  const topicId = pathname === '/thread' && params.get('topicId')
  const memberId = pathname === '/user/control/home' && params.get('userId')
  return (
    <>
      {topicId && <a href={`/admin/topic/view?topicId=${encodeURIComponent(topicId)}`}>{words('administerTopic')}</a>}
      {memberId && <a href={`/admin/member/view?memberId=${encodeURIComponent(memberId)}`}>{words('administerMember')}</a>}
      <a href="/admin">{words('administration')}</a>
    </>
  )
}

function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} onClick={() => document.getElementById('account-menu')?.hidePopover()}>
      {children}
    </Link>
  )
}
