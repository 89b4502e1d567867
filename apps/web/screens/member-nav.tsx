import type { RefObject } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useCurrentInView } from '#base/web/scrolled-row.ts'
import { Tabs } from '#base/web/tabs.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import {
  isPublicPage,
  memberPages,
  memberTree,
  memberPageAt,
  memberPagePath,
  type MemberPage,
  type MemberPageName,
} from '#apps/web/member-pages.ts'
import { useSite } from '#setting/web/setting.tsx'
import css from '#apps/web/screens/member-nav.module.css'

type MemberRef = { /** Null for one's own. */ userId: string | null }

/** The current page of a member, and the pages this site offers. */
export function useMemberPages({ userId }: MemberRef) {
  const { allowCash, registrationMode, open } = useSite()
  const current = memberPageAt(useLocation().pathname)
  const isOffered: Partial<Record<MemberPageName, boolean>> = {
    balance: allowCash,
    invitations: registrationMode === 'invitation',
    tokens: open.programs,
  }
  const offered = memberPages.filter(({ name }) => (isOffered[name] ?? true) && (userId === null || isPublicPage(name)))
  return {
    current,
    /** The first page of a group. */
    first: (group: string) => offered.filter((one) => one.group === group && one.from === null),
    openedFrom: (name: MemberPageName) => offered.filter((one) => one.from === name),
  }
}

/** The tabs below a member's header. */
export function MemberTabs({ userId }: MemberRef) {
  const words = useWords('user')
  const say = useTranslate()
  const { current, first } = useMemberPages({ userId })
  return (
    <div className={css.tabs}>
      <Tabs label={words('pages')}>
        {Object.entries(memberTree.tabs).map(([group, { word }]) => {
          const [opens] = first(group)
          if (!opens) return null
          const is = opens === current ? 'page' : 'true'
          return (
            <Link key={group} to={memberPagePath(opens.name, userId)} aria-current={current?.group === group ? is : undefined}>
              {say(word)}
            </Link>
          )
        })}
      </Tabs>
    </div>
  )
}

/** The pages of the current tab: beside the page on a desktop, in a scrollable row on a phone. */
export function TabPages({ userId }: MemberRef) {
  const say = useTranslate()
  const row = useCurrentInView<HTMLUListElement>()
  const { current, first } = useMemberPages({ userId })
  const pages = current ? first(current.group) : []
  const tabs: Record<string, { word: string }> = memberTree.tabs
  const tab = current && tabs[current.group]
  if (!tab || pages.length < 2) return null
  return (
    <nav className={`${css.pages} rail`} aria-label={say(tab.word)}>
      <PlaceLinks places={pages} userId={userId} row={row} />
    </nav>
  )
}

/** On a desktop beside each settings page; a phone has a back link instead. */
export function SettingsList() {
  const say = useTranslate()
  const { first, openedFrom } = useMemberPages({ userId: null })
  const { overview, ...groups } = memberTree.settings
  return (
    <nav className={`${css.settings} rail`} aria-label={say(overview.word)}>
      <Link to={memberPagePath('settings')} className={css.all}>
        {say(overview.word)}
      </Link>
      {Object.entries(groups).map(([group, { word }]) => (
        <section key={group}>
          <p id={`settings-${group}`}>{say(word)}</p>
          <PlaceLinks
            places={first(group).flatMap((one) => [one, ...openedFrom(one.name)])}
            userId={null}
            labelledBy={`settings-${group}`}
          />
        </section>
      ))}
    </nav>
  )
}

/** The link to the parent, unless a list beside the page shows it. */
export function BackLink({ userId }: MemberRef) {
  const say = useTranslate()
  const { current } = useMemberPages({ userId })
  if (!current || current.group === 'overview') return null
  const up = memberPageAt(memberPagePath(current.from ?? 'settings'))
  if (!up || (current.area !== 'settings' && current.from === null)) return null
  // On a desktop the settings are listed beside the page.
  const isListed = current.area === 'settings' && (up.name === 'settings' || up.name === 'security')
  return (
    <Link to={memberPagePath(up.name, userId)} className={css.back} data-listed={isListed || undefined}>
      <Icon name="left" size={16} />
      {say(up.word)}
    </Link>
  )
}

type LinksProps = MemberRef & { places: readonly MemberPage[]; labelledBy?: string; row?: RefObject<HTMLUListElement | null> }

function PlaceLinks({ places, userId, labelledBy, row }: LinksProps) {
  const say = useTranslate()
  const { current } = useMemberPages({ userId })
  const nearest = nearestListed(current, places)
  return (
    <ul ref={row} className={row && 'scrolled-row until-wide'} aria-labelledby={labelledBy}>
      {places.map((one) => (
        <li key={one.name}>
          <Link to={memberPagePath(one.name, userId)} aria-current={one === nearest ? (one === current ? 'page' : 'true') : undefined}>
            {say(one.word)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The page itself, or its nearest listed ancestor. */
function nearestListed(place: MemberPage | undefined, listed: readonly MemberPage[]): MemberPage | undefined {
  if (!place || listed.includes(place)) return place
  return nearestListed(place.from ? memberPageAt(memberPagePath(place.from)) : undefined, listed)
}
