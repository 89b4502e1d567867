import { useLocation } from 'react-router'
import { useIdlePart } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { member, useLoginPath, useRegisterPath, type Me } from '#account/web/account.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/account-area.module.css'

/**
 * The right part of the header: the login links of a visitor, or a member's menu. Until the session is known both are rendered, and the
 * style shows the one that will stay, which apps/web/theme.ts determines before the first paint.
 */
export function AccountArea() {
  const me = member.use()
  if (me) return <MemberCorner me={me} />
  if (me === null) return <VisitorCorner />
  return (
    <>
      <span className={css.visitors}>
        <VisitorCorner />
      </span>
      <span className={css.members}>
        <PostButton />
        <span className={css.places} />
      </span>
    </>
  )
}

function VisitorCorner() {
  const words = useWords('site')
  const { open } = useSite()
  const loginPath = useLoginPath()
  const registerPath = useRegisterPath()
  return (
    <>
      <Link to={loginPath} className={`button quiet ${css.compact}`}>
        {words('logIn')}
      </Link>
      {open.registrations && (
        <Link to={registerPath} className={`button ${css.compact} ${css.wide}`}>
          {words('register')}
        </Link>
      )}
    </>
  )
}

function MemberCorner({ me }: { me: Me }) {
  const menu = useIdlePart(() => import('#apps/web/member-menu.tsx'), true)
  return (
    <>
      <PostButton />
      {menu ? <menu.MemberMenu me={me} /> : <span className={css.places} />}
    </>
  )
}

function PostButton() {
  const posting = usePostTarget()
  return (
    posting && (
      <Link to={posting.to} className={`button ${css.compact} ${css.wide}`}>
        {posting.says}
      </Link>
    )
  )
}

/**
 * The new post to start from here: a question in lists of questions, otherwise a topic, in the current tag. Null if posting is not allowed.
 */
export function usePostTarget(): { to: string; says: string } | null {
  const words = useWords('site')
  const { open } = useSite()
  const { pathname, search } = useLocation()
  const tagId = ['/index', '/askList'].includes(pathname) ? new URLSearchParams(search).get('tagId') : null
  const there = tagId ? `?tagId=${encodeURIComponent(tagId)}` : ''
  const asks = ['/askList', '/question', '/addQuestion'].includes(pathname)
  if (!(asks ? open.questions : open.topics)) return null
  return asks ? { to: `/addQuestion${there}`, says: words('ask') } : { to: `/addTopic${there}`, says: words('post') }
}
