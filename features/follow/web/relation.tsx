import { useRevalidator } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { block, followOfMember, unblock, Way } from '#follow/contract.ts'
import { Follow } from '#follow/web/follow.tsx'
import { learn } from '#follow/web/mine.ts'
import css from '#follow/web/follow.module.css'

type Person = { id: string; name: string }

/** On a member's page: how many follow whom, and what they are to me. */
export function Relation({ of: person, is }: { of: Person; is: Output<typeof followOfMember> }) {
  const words = useWords('follow')
  const me = useMember()
  const isMe = me?.userId === person.id
  const query = isMe ? '' : `?userId=${person.id}`
  return (
    <div className={css.relation}>
      {is.counts && (
        <>
          <Link to={`/user/control/followList${query}`}>
            <strong>{is.counts.following.toLocaleString('en')}</strong> {words('followingCount', { count: is.counts.following })}
          </Link>
          <Link to={`/user/control/followerList${query}`}>
            <strong>{is.counts.followers.toLocaleString('en')}</strong> {words('followerCount', { count: is.counts.followers })}
          </Link>
        </>
      )}
      {is.canBeFollowed && is.way !== 'blocked' && (
        <Follow key={`${person.id} ${is.isFollowed}`} of="member" id={person.id} isFollowed={is.isFollowed} />
      )}
      {me && !isMe && <Blocking of={person} way={is.way} />}
    </div>
  )
}

/** Mutes and blocks somebody, and ends it. */
export function Blocking({ of: { id, name }, way }: { of: Person; way: Way | null }) {
  const words = useWords('follow')
  const api = useApi()
  const me = useMember()
  const { revalidate } = useRevalidator()
  const begin = useDeed<typeof block>('/follow/block')
  const end = useDeed<typeof unblock>('/follow/unblock')
  const isBusy = begin.isBusy || end.isBusy

  async function changed(): Promise<void> {
    await Promise.all([learn(api, me?.userId ?? null), revalidate()])
  }

  async function stop(): Promise<void> {
    if (await end.go({ userId: id }, { done: words('endedNow') })) await changed()
  }

  async function mute(): Promise<void> {
    if (!(await confirm(words('muteQuestion', { name }), words('mute')))) return
    if (await begin.go({ userId: id, way: 'muted' }, { done: words('mutedNow') })) await changed()
  }

  async function blockThem(): Promise<void> {
    if (!(await confirm(words('blockQuestion', { name }), words('block')))) return
    if (await begin.go({ userId: id, way: 'blocked' }, { done: words('blockedNow') })) await changed()
  }

  return (
    <span>
      {way === null && (
        <button type="button" className="plain" disabled={isBusy} onClick={() => void mute()}>
          {words('mute')}
        </button>
      )}
      {way !== 'blocked' && (
        <button type="button" className="plain" disabled={isBusy} onClick={() => void blockThem()}>
          {words('block')}
        </button>
      )}
      {way && (
        <button type="button" className="plain" disabled={isBusy} onClick={() => void stop()}>
          {words(way === 'muted' ? 'unmute' : 'unblock')}
        </button>
      )}
    </span>
  )
}
