import { Outlet, useLocation, useRouteLoaderData } from 'react-router'
import { member } from '#account/web/account.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useSay, useWords } from '#base/web/words.tsx'
import { askedMember, placeAt, placePath, type AreaName } from '#apps/web/member-places.ts'
import { BackLink, MemberTabs, SettingsList, TabPages } from '#apps/web/screens/member-nav.tsx'
import { SmallHead } from '#user/web/profile-head.tsx'
import css from '#apps/web/screens/member-area.module.css'

const around = { tabs: UnderTabs, settings: InSettings, inbox: Alone } satisfies Record<AreaName, () => unknown>

/** The layout of every page about a member: navigation between related pages, and the heading. */
export function Page() {
  const { pathname } = useLocation()
  // The first page has its own header and tabs.
  if (pathname === placePath('home')) return <Outlet />
  const Around = around[placeAt(pathname)?.area ?? 'inbox']
  return <Around />
}

/** The member, the tabs, and the pages of the current tab. */
function UnderTabs() {
  const { userId, shown, isVisitor } = useWhose()
  return (
    <div className={css.area} data-visitor={isVisitor || undefined}>
      <div className={css.head}>
        {shown && <SmallHead of={shown} to={placePath('home', userId)} />}
        {!isVisitor && userId === null && <ToSettings />}
      </div>
      {isVisitor ? (
        <div className={css.room} />
      ) : (
        <>
          <MemberTabs userId={userId} />
          <TabPages userId={userId} />
        </>
      )}
      <Titled userId={userId} />
    </div>
  )
}

function InSettings() {
  const isOverview = useLocation().pathname === placePath('settings')
  if (isOverview) return <Alone />
  return (
    <div className={css.area}>
      <SettingsList />
      <Titled userId={null} />
    </div>
  )
}

function Alone() {
  return (
    <div className={css.alone}>
      <Titled userId={null} />
    </div>
  )
}

function Titled({ userId }: { userId: string | null }) {
  const say = useSay()
  const place = placeAt(useLocation().pathname)
  // On a phone the row above already names the pages it lists.
  const isSaid = place?.area === 'tabs' && place.from === null
  return (
    <div className={css.page}>
      <BackLink userId={userId} />
      {place && <h1 data-said={isSaid || undefined}>{say(place.word)}</h1>}
      <Outlet />
    </div>
  )
}

/** The link from one's own pages to the settings. */
export function ToSettings() {
  const words = useWords('user')
  return (
    <Link to={placePath('settings')} className="button quiet">
      <Icon name="settings" />
      {words('settings')}
    </Link>
  )
}

type MemberSummary = { id: string; name: string; avatar: string | null }

/** The member of these pages. Null stands for the viewer. */
function useWhose() {
  const me = member.use()
  const { pathname, search } = useLocation()
  // The screen's own data; a route's id is its path.
  const data = useRouteLoaderData<{ user?: MemberSummary } | null>(pathname)
  const asked = askedMember(pathname, search)
  const isMine = asked === null || asked === me?.userId
  const own = me ? { id: me.userId, name: me.nickname ?? me.account, avatar: me.avatar } : null
  // The only own page that visitors can see.
  const isVisitor = isMine && !me && pathname === placePath('point')
  return { userId: isMine ? null : asked, shown: data?.user ?? (isMine ? own : null), isVisitor }
}
