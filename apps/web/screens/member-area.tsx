import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useRouteLoaderData } from 'react-router'
import { member } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useSay, useWords } from '#base/web/words.tsx'
import { askedMember, memberPlaces, placePath, placeWord, type MemberPlace } from '#apps/web/member-places.ts'
import type { HomeData } from '#apps/web/screens/home.data.ts'
import { useSite } from '#setting/web/setting.tsx'
import { ProfileHead, SmallHead } from '#user/web/profile-head.tsx'
import css from '#apps/web/screens/member-area.module.css'

/** Around every page about a member: whose it is, the ways between them, and what the page is called. */
export function Page() {
  const words = useWords('user')
  const say = useSay()
  const { pathname } = useLocation()
  const { userId, shown, home, isVisitor } = useWhose()
  const word = home ? undefined : placeWord(pathname)
  return (
    <div className={css.area} data-visitor={isVisitor || undefined}>
      {home ? (
        <div className={css.head}>
          <ProfileHead of={home}>
            {home.isMe && (
              <Link to={placePath('editUser')} className="button quiet">
                {words('editProfile')}
              </Link>
            )}
          </ProfileHead>
        </div>
      ) : (
        <div className={css.head}>{shown && <SmallHead of={shown} to={placePath('home', userId)} />}</div>
      )}
      {!isVisitor && (!home || home.isMe || home.showsActivity) && <Rail userId={userId} isOpen={home?.isMe ?? false} />}
      <div className={css.page}>
        {word && <h1>{say(word)}</h1>}
        <Outlet />
      </div>
    </div>
  )
}

type Shown = { id: string; name: string; avatar: string | null }

/** Whose pages these are. Null is the id of whoever looks. */
function useWhose() {
  const me = member.use()
  const { pathname, search } = useLocation()
  // The screen's own, for a route goes by its path.
  const data = useRouteLoaderData<{ user?: Shown } | null>(pathname)
  const asked = askedMember(pathname, search)
  const isMine = asked === null || asked === me?.userId
  const home = pathname === placePath('home') ? ((data as HomeData | undefined) ?? null) : null
  const own = me ? { id: me.userId, name: me.nickname ?? me.account, avatar: me.avatar } : null
  // Of one's own pages visitors see this one alone.
  const isVisitor = isMine && !me && pathname === placePath('point')
  return { userId: isMine ? null : asked, shown: data?.user ?? (isMine ? own : null), home, isVisitor }
}

const { shown, kept, settings } = memberPlaces

type RailProps = { /** Null for one's own. */ userId: string | null; isOpen: boolean }

/** On a desktop beside the page. On a phone a list, which is folded but on one's own first page. */
function Rail({ userId, isOpen }: RailProps) {
  const words = useWords('user')
  const { pathname } = useLocation()
  const [openAt, setOpenAt] = useState('')
  const isShown = isOpen || openAt === pathname
  const rail = useRef<HTMLElement>(null)
  // The list is longer than most windows, and where one is may be far down.
  useEffect(() => {
    const current = rail.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && rail.current && current.offsetTop > rail.current.clientHeight - 60) rail.current.scrollTop = current.offsetTop
  }, [pathname])
  return (
    <nav ref={rail} className={`${css.rail} rail`} aria-label={words('pages')} data-shown={isShown || undefined}>
      {!isOpen && (
        <button
          type="button"
          className={`button quiet ${css.fold}`}
          aria-expanded={isShown}
          onClick={() => setOpenAt(isShown ? '' : pathname)}
        >
          {words('allPages')}
        </button>
      )}
      <Group title={userId === null ? words('wroteAndKept') : null} places={[...shown, ...(userId === null ? kept : [])]} userId={userId} />
      {userId === null && <Group title={words('settings')} places={settings} userId={null} />}
    </nav>
  )
}

type GroupProps = { title: string | null; places: readonly MemberPlace[]; userId: string | null }

function Group({ title, places, userId }: GroupProps) {
  const say = useSay()
  const { pathname } = useLocation()
  const { allowCash, registrationMode } = useSite()
  return (
    <div className={css.group}>
      {title && <p>{title}</p>}
      <ul>
        {places
          .filter(([name]) => (allowCash || name !== 'balance') && (registrationMode === 'invitation' || name !== 'invitations'))
          .map(([name, word]) => (
            <li key={name}>
              <Link to={placePath(name, userId)} aria-current={pathname === placePath(name) ? 'page' : undefined}>
                {say(word)}
              </Link>
            </li>
          ))}
      </ul>
    </div>
  )
}
