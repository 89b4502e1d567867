import { member, useLoginPath } from '#account/web/account.tsx'
import { usePostTarget } from '#apps/web/account-area.tsx'
import { Preferences } from '#apps/web/menu-preferences.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link, NavLink } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { overflowSections, SectionMenu } from '#frame/web/frame.tsx'
import { shortCount, unread } from '#notification/web/unread.ts'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/bottom-bar.module.css'

/**
 * The bottom navigation of a phone: topics, questions, post, messages, me. A visitor has a menu with language and theme in place of
 * messages; a member has these in the avatar's menu.
 */
export function BottomBar() {
  const words = useWords('site')
  const me = member.use()
  const { sections } = useSite().frame
  const posting = usePostTarget()
  const toPost = useLoginPath(posting?.to)
  const toMe = useLoginPath('/user/control/home')
  const { privateMessageCount } = unread.use()
  // All of a visitor's links lead to the login, so none is ever current.
  const Way = me ? NavLink : Link
  return (
    <nav className={css.bar} aria-label={words('quickLinks')}>
      <NavLink to="/index">
        <Icon name="home" />
        {words('home')}
      </NavLink>
      {sections.some(({ url }) => url === '/askList') && (
        <NavLink to="/askList">
          <Icon name="question" />
          {words('questions')}
        </NavLink>
      )}
      {posting && (
        <Way to={me ? posting.to : toPost}>
          <Icon name="plus" />
          {posting.says}
        </Way>
      )}
      <NavLink to="/user/control/privateMessageList" className={css.ofMembers}>
        <Icon name="message" />
        {words('messages')}
        {me && privateMessageCount > 0 && <span className={css.unread}>{shortCount(privateMessageCount)}</span>}
      </NavLink>
      <Way to={me ? '/user/control/home' : toMe}>
        <Icon name="person" />
        {words('me')}
      </Way>
      <SectionMenu of={overflowSections(sections)} label={words('everything')} className={css.ofVisitors}>
        <Preferences isMenu />
      </SectionMenu>
    </nav>
  )
}
