import { Outlet, useLocation, useRouteLoaderData } from 'react-router'
import { member } from '#account/web/account.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { requestedMember, memberPageAt, memberPagePath, type AreaName } from '#apps/web/member-pages.ts'
import { BackLink, MemberTabs, SettingsList, TabPages } from '#apps/web/screens/member-nav.tsx'
import { SmallHead } from '#user/web/profile-head.tsx'
import css from '#apps/web/screens/member-area.module.css'

const layouts = { tabs: TabsLayout, settings: SettingsLayout, inbox: PlainLayout } satisfies Record<AreaName, () => unknown>

/** The layout of every page about a member: navigation between related pages, and the heading. */
export function Page() {
  const { pathname } = useLocation()
  // The first page has its own header and tabs.
  if (pathname === memberPagePath('home')) return <Outlet />
  const Around = layouts[memberPageAt(pathname)?.area ?? 'inbox']
  return <Around />
}

/** The member, the tabs, and the pages of the current tab. */
function TabsLayout() {
  const { userId, shown, isVisitor } = usePageMember()
  return (
    <div className={css.area} data-visitor={isVisitor || undefined}>
      <div className={css.head}>
        {shown && <SmallHead of={shown} to={memberPagePath('home', userId)} />}
        {!isVisitor && userId === null && <SettingsLink />}
      </div>
      {isVisitor ? (
        <div className={css.room} />
      ) : (
        <>
          <MemberTabs userId={userId} />
          <TabPages userId={userId} />
        </>
      )}
      <PageTitle userId={userId} />
    </div>
  )
}

function SettingsLayout() {
  const isOverview = useLocation().pathname === memberPagePath('settings')
  if (isOverview) return <PlainLayout />
  return (
    <div className={css.area}>
      <SettingsList />
      <PageTitle userId={null} />
    </div>
  )
}

function PlainLayout() {
  return (
    <div className={css.alone}>
      <PageTitle userId={null} />
    </div>
  )
}

function PageTitle({ userId }: { userId: string | null }) {
  const say = useTranslate()
  const place = memberPageAt(useLocation().pathname)
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
export function SettingsLink() {
  const words = useWords('user')
  return (
    <Link to={memberPagePath('settings')} className="button quiet">
      <Icon name="settings" />
      {words('settings')}
    </Link>
  )
}

type MemberSummary = { id: string; name: string; avatar: string | null }

/** The member of these pages. Null stands for the viewer. */
function usePageMember() {
  const me = member.use()
  const { pathname, search } = useLocation()
  // The screen's own data; a route's id is its path.
  const data = useRouteLoaderData<{ user?: MemberSummary } | null>(pathname)
  const requestedId = requestedMember(pathname, search)
  const isMine = requestedId === null || requestedId === me?.userId
  const own = me ? { id: me.userId, name: me.nickname ?? me.account, avatar: me.avatar } : null
  // The only own page that visitors can see.
  const isVisitor = isMine && !me && pathname === memberPagePath('point')
  return { userId: isMine ? null : requestedId, shown: data?.user ?? (isMine ? own : null), isVisitor }
}
