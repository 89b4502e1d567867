import { LatestActivity, BestActivity } from '#activity/web/activity.tsx'
import { useLoaderData } from 'react-router'
import { memberPagePath } from '#apps/web/member-pages.ts'
import area from '#apps/web/screens/member-area.module.css'
import { SettingsLink } from '#apps/web/screens/member-area.tsx'
import { MemberTabs } from '#apps/web/screens/member-nav.tsx'
import type { HomeData } from '#apps/web/screens/home.data.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { Relation } from '#follow/web/relation.tsx'
import { GiveCard } from '#membership/web/membership.tsx'
import { WriteTo } from '#message/web/message.tsx'
import { GiveEnvelope } from '#red-envelope/web/red-envelope.tsx'
import { ProfileHead } from '#user/web/profile-head.tsx'
import { About, Bans, Details, Numbers } from '#user/web/profile.tsx'
import { Balances } from '#wallet/web/wallet.tsx'

/** A member's profile, counts and latest posts. */
export function Page() {
  const words = useWords('user')
  const person = useLoaderData<HomeData>()
  const { user, isMe, wallet, latest, best } = person
  const isShown = isMe || person.showsActivity
  const userId = isMe ? null : user.id
  return (
    <div className={area.area}>
      <Head of={person} />
      <aside className={area.numbers} aria-label={words('numbers')}>
        <Numbers of={person} />
        {wallet && <Balances has={wallet} />}
      </aside>
      {isShown && <MemberTabs userId={userId} />}
      <div className={area.page}>
        {isShown ? <LatestActivity posts={latest} userId={userId} /> : <p className="meta">{words('activityHidden')}</p>}
        <BestActivity posts={best} />
        <Details of={person} />
      </div>
    </div>
  )
}

function Head({ of: person }: { of: HomeData }) {
  const words = useWords('user')
  const { user, isMe, relation } = person
  return (
    <div className={area.head}>
      <div>
        <ProfileHead of={person}>
          {isMe && (
            <>
              <Link to={memberPagePath('editUser')} className="button quiet">
                {words('editProfile')}
              </Link>
              <SettingsLink />
            </>
          )}
        </ProfileHead>
        <About of={person} />
        <Relation
          of={user}
          is={relation}
          rare={
            <>
              <GiveCard to={user} />
              <GiveEnvelope to={user} />
            </>
          }
        >
          <WriteTo of={user} />
        </Relation>
        <Bans of={person} />
      </div>
    </div>
  )
}
