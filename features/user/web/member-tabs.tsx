import { useLocation } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#user/web/member-tabs.module.css'

const ofEverybody = [
  ['home', 'homeTab'],
  ['userDynamicList', 'activity'],
  ['topicList', 'topics'],
  ['commentList', 'comments'],
  ['replyList', 'replies'],
  ['questionList', 'questions'],
  ['answerList', 'answers'],
  ['answerReplyList', 'answerReplies'],
  ['favoriteList', 'favourites'],
  ['followList', 'follows'],
  ['followerList', 'followers'],
] as const
const ofMine = [
  ['likeList', 'likes'],
  ['point', 'pointTab'],
  ['balance', 'balanceTab'],
  ['remindList', 'reminders'],
  ['systemNotifyList', 'notices'],
  ['privateMessageList', 'messages'],
  ['draftList', 'drafts'],
  ['topicUnhideList', 'unlocks'],
  ['reportList', 'reports'],
  ['waitingList', 'waiting'],
  ['editUser', 'editProfile'],
  ['blockList', 'blocks'],
  ['userLoginLogList', 'security'],
] as const

/** The ways between the pages about a member; one's own without an id. */
export function MemberTabs({ userId }: { userId: string | null }) {
  const words = useWords('user')
  const { pathname } = useLocation()
  const { allowCash } = useSite()
  const mine = userId === null ? ofMine.filter(([name]) => allowCash || name !== 'balance') : []
  const query = userId === null ? '' : `?userId=${userId}`
  return (
    <nav key={pathname} ref={showCurrent} className={`tabs ${css.row}`} aria-label={words('pages')}>
      {[...ofEverybody, ...mine].map(([name, label]) => (
        <Link key={name} to={`/user/control/${name}${query}`} aria-current={pathname === `/user/control/${name}` ? 'page' : undefined}>
          {words(label)}
        </Link>
      ))}
    </nav>
  )
}

// On a phone they are one row that scrolls, of which one sees where one is, and that there is more.
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current]')
  if (row && current) row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
}
