import { useEffect, useId, useRef, type RefObject } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation, useRouteLoaderData } from 'react-router'
import { currentEntry } from '#apps/admin/current-entry.ts'
import { Palette, paletteIsOpen } from '#apps/admin/palette.tsx'
import { screens } from '#apps/admin/screens.ts'
import { groups, type Screen, type PendingCounts } from '#base/admin/screen.ts'
import { Cup } from '#apps/web/cup.tsx'
import { ShortcutsHelp } from '#apps/web/shortcuts-help.tsx'
import { LanguageSwitch, ThemeSwitch } from '#apps/web/preferences.tsx'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { isolate } from '#base/direction.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { useAction } from '#base/web/action.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { LoadingOverlay } from '#base/web/loading.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { scrollKey } from '#base/web/scroll-key.ts'
import { Toasts } from '#base/web/toast.tsx'
import { storePair, type TokenPair } from '#base/web/token.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { Brand } from '#look/web/look.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { broadcastLogout } from '#staff/admin/other-tabs.ts'
import { LoginPrompt } from '#staff/admin/sign-in.tsx'
import { dropDraftsOfOthers, mayDo, me } from '#staff/admin/staff.tsx'
import type { enterForum, signOut } from '#staff/contract.ts'
import css from '#apps/admin/admin-layout.module.css'

/** The layout of the administration: the menu of permitted screens, the palette, and the screen. */
export function AdminLayout() {
  const words = useWords('admin')
  useTitle()
  const isLoading = useNavigation().state !== 'idle'
  const rail = useRef<HTMLElement>(null)
  useCurrentInView(rail)
  return (
    <div className={css.frame}>
      <a href="#content" className={css.skip}>
        {words('skip')}
      </a>
      <Header />
      <nav ref={rail} className={css.rail} aria-label={words('menu')}>
        <MainMenu />
      </nav>
      <main id="content" className={css.main} tabIndex={-1} aria-busy={isLoading || undefined}>
        <SiteStateBanner />
        <Outlet />
      </main>
      <Toasts />
      <DialogHost />
      <Palette />
      <ShortcutsHelp />
      <LoginPrompt />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  )
}

/** A banner while the site is read-only or closed. */
function SiteStateBanner() {
  const words = useWords('admin')
  const { siteState } = useSite()
  if (siteState === 'open') return null
  return (
    <p className={`note ${css.state}`}>
      {words(siteState)} {mayDo('setting.view') && <Link to="/admin/setting?setting=siteState">{words('stateOfSite')}</Link>}
    </p>
  )
}

function Header() {
  const words = useWords('admin')
  const { title, logo } = useSite()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  useEffect(() => menu.current?.hidePopover(), [key])
  return (
    <header className={css.header}>
      <button type="button" className={`icon ${css.open}`} aria-label={words('menu')} popoverTarget={id}>
        <Icon name="list" />
      </button>
      <div ref={menu} id={id} popover="auto" className={css.drawer}>
        <nav aria-label={words('menu')}>
          <MainMenu />
        </nav>
      </div>
      <Link to="/admin" className={css.name}>
        <Brand title={title} logo={logo} house={<Cup />} />
        <span className={css.desk}>{words('desk')}</span>
      </Link>
      <button type="button" className={css.find} onClick={() => paletteIsOpen.set(true)}>
        <Icon name="search" size={16} />
        <span>{words('find')}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {offeredLanguages.use().length > 1 && <LanguageSwitch />}
      <ThemeSwitch />
      <AccountMenu />
      <LoadingOverlay />
    </header>
  )
}

function AccountMenu() {
  const words = useWords('admin')
  const who = me.use()
  const leave = useAction<typeof signOut>('/admin/signOut')

  const enter = useAction<typeof enterForum>('/admin/forum/enter')

  function toForum(pair: TokenPair): void {
    storePair(pair)
    location.assign('/index')
  }

  function gone(): void {
    dropDraftsOfOthers(null)
    broadcastLogout()
    location.assign('/admin')
  }

  return (
    <Menu label={words('self', { account: who?.account ?? '' })} icon="person">
      <MenuLink to="/admin/self">{words('selfPage')}</MenuLink>
      {/* Staff with outstanding security steps enter the forum as visitors. */}
      {who?.owes.length === 0 ? (
        <MenuButton disabled={enter.isBusy} onClick={() => void enter.run({}, { onSuccess: toForum })}>
          {words('toForum')}
        </MenuButton>
      ) : (
        <a role="menuitem" tabIndex={-1} href="/index">
          {words('toForum')}
        </a>
      )}
      <MenuButton onClick={() => void leave.run({}, { onSuccess: gone })}>{words('signOut')}</MenuButton>
    </Menu>
  )
}

function MainMenu() {
  const words = useWords('admin')
  const { pathname } = useLocation()
  me.use()
  const menu = screens.filter((screen) => screen.group && mayDo(screen.right))
  const current = currentEntry(menu, screens, pathname)
  return groups.map((group) => {
    const its = menu.filter((screen) => screen.group === group)
    return its.length > 0 && <MenuSection key={group} title={words(group)} screens={its} current={current} />
  })
}

function MenuSection({ title, screens, current }: { title: string; screens: readonly Screen[]; current: string | null }) {
  const say = useTranslate()
  const waits = useRouteLoaderData<PendingCounts | null>('screens')
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {screens.map((screen) => (
          <li key={screen.path}>
            <Link to={screen.path + (screen.initialQuery ?? '')} aria-current={screen.path === current ? 'page' : undefined}>
              {say(screen.title)}
              {screen.pendingCount && <PendingBadge count={waits?.[screen.pendingCount] ?? 0} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Scrolls the menu to the current entry if it is out of view; the page does not move. */
function useCurrentInView(rail: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  useEffect(() => {
    const menu = rail.current
    const here = menu?.querySelector<HTMLElement>('[aria-current]')
    if (!menu || !here) return
    const top = here.offsetTop - menu.scrollTop
    if (top < 0 || top + here.offsetHeight > menu.clientHeight) menu.scrollTo({ top: here.offsetTop - menu.clientHeight / 2 })
  }, [rail, pathname])
}

const maxShown = 99

function PendingBadge({ count }: { count: number }) {
  const words = useWords('admin')
  if (count === 0) return null
  const label = count > maxShown ? `${maxShown}+` : String(count)
  return (
    <span className={css.waiting}>
      <span aria-hidden="true">{label}</span>
      <span className="hidden">{words('waitingHere', { count: label })}</span>
    </span>
  )
}

function useTitle(): void {
  const say = useTranslate()
  const { title } = useSite()
  const here = useMatches().at(-1)
  const screen = here?.handle as Screen | undefined
  // A screen may take its title from the loaded data.
  const called = here?.loaderData ? screen?.titleOf?.(here.loaderData as never) : undefined
  useEffect(() => {
    const parts = [called, screen && say(screen.title), say('admin.name', { title })]
    document.title = parts.flatMap((part) => (part ? [isolate(part)] : [])).join(' - ')
  }, [called, screen, say, title])
}
