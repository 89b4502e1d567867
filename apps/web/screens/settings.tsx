import { memberTree, memberPagePath, type MemberPageName } from '#apps/web/member-pages.ts'
import css from '#apps/web/screens/member-area.module.css'
import { useMemberPages } from '#apps/web/screens/member-nav.tsx'
import { useLogout } from '#account/web/sign-in.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'

/** The contents of each page. */
const pageContents: Partial<Record<MemberPageName, string>> = {
  editUser: 'ofProfile',
  invitations: 'ofInvitations',
  security: 'ofSecurity',
  remindSettings: 'ofNotifications',
  preferences: 'ofReading',
  blockList: 'ofBlockList',
  personalData: 'ofData',
  leave: 'ofLeaving',
}

/** The settings by group. */
export function Page() {
  const words = useWords('user')
  const ofSite = useWords('site')
  const say = useTranslate()
  const logOut = useLogout()
  const { first } = useMemberPages({ userId: null })
  const { overview: _, ...groups } = memberTree.settings
  return (
    <section className="column">
      {Object.entries(groups).map(([group, { word }]) => (
        <section key={group}>
          <h2 className={css.group}>{say(word)}</h2>
          <ul className={css.list}>
            {first(group).map(({ name, word: called }) => {
              const says = pageContents[name]
              return (
                <li key={name}>
                  <Link to={memberPagePath(name)}>
                    <span>{say(called)}</span>
                    {says && <span className="meta">{words(says)}</span>}
                    <Icon name="right" />
                  </Link>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
      <p>
        <button type="button" className="button quiet" onClick={() => void logOut()}>
          {ofSite('logOut')}
        </button>
      </p>
    </section>
  )
}
