import { useLoaderData, useSearchParams } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { isolate } from '#base/direction.ts'
import { Link } from '#base/web/link.tsx'
import { Place } from '#base/web/places.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Access } from '#member/admin/access.tsx'
import { Bans } from '#member/admin/bans.tsx'
import { Actions } from '#member/admin/actions.tsx'
import { Notes } from '#member/admin/notes.tsx'
import { Overview } from '#member/admin/overview.tsx'
import { Record } from '#member/admin/record.tsx'
import { StateMark } from '#member/admin/state-mark.tsx'
import type { Member } from '#member/contract.ts'
import css from '#member/admin/member.module.css'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Links beside the tabs of a member. */
    'member.tabs': { member: Member }
    /** Sections below the facts about a member. */
    'member.page': { member: Member }
  }
}

const tabs = { overview: Overview, record: Record, bans: Bans, access: Access, notes: Notes } as const
type Tab = keyof typeof tabs

export function Page() {
  const words = useWords('memberAdmin')
  const member = useLoaderData<Member>()
  const [query] = useSearchParams()
  const named = query.get('tab') ?? ''
  const tab: Tab = Object.hasOwn(tabs, named) ? (named as Tab) : 'overview'
  const Shown = tabs[tab]
  return (
    <>
      <Head
        title={
          <>
            <bdi>{member.nickname ?? member.account}</bdi> <StateMark state={member.state} />
          </>
        }
      >
        <Actions member={member} />
      </Head>
      {member.deactivated && (
        <p className="note">
          {words(member.state === 'cancelled' ? 'cancelledSince' : member.state === 'left' ? 'leftSince' : 'disabledSince')}{' '}
          <Time at={member.deactivated.at} />
          {member.deactivated.because && ` · ${isolate(member.deactivated.because)}`}
        </p>
      )}
      {member.isOfficial && <p className="note">{words('officialWhat')}</p>}
      <nav className={css.tabs} aria-label={words('parts')}>
        {(Object.keys(tabs) as Tab[]).map((one) => (
          <Link key={one} to={`/admin/member/view?memberId=${member.id}&tab=${one}`} aria-current={one === tab ? 'page' : undefined}>
            {words(one, { count: { overview: 0, record: 0, bans: member.bans.length, access: 0, notes: member.notes.length }[one] })}
          </Link>
        ))}
        <Place name="member.tabs" member={member} />
      </nav>
      <Shown member={member} />
    </>
  )
}
