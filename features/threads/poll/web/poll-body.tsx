import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useLoginPath, useMember } from '#account/web/account.tsx'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { endPoll, PollStateView } from '#poll/contract.ts'
import { Ballot } from '#poll/web/ballot.tsx'
import { Options } from '#poll/web/options.tsx'
import { Standing } from '#poll/web/poll-standing.tsx'
import css from '#poll/web/poll.module.css'

type Props = { topicId: string; poll: PollStateView; /** Called when its state has changed. */ reload: () => Promise<void> }

/** The facts of a poll, and the ballot or the reader's vote. */
export function PollBody({ topicId, poll, reload }: Props) {
  const words = useWords('poll')
  const [isChanging, setChanging] = useState(false)
  const [hasVoted, setVoted] = useState(false)
  const confirmation = useRef<HTMLSpanElement>(null)
  const { may, mine } = poll
  const votes = may.vote && (mine.length === 0 || isChanging)

  async function voted(): Promise<void> {
    await reload()
    setChanging(false)
    setVoted(true)
  }

  useEffect(() => {
    // The pressed button is gone.
    if (hasVoted && !isChanging) confirmation.current?.focus({ preventScroll: true })
  }, [hasVoted, isChanging])

  return (
    <>
      <Facts poll={poll} />
      {votes ? (
        <Ballot topicId={topicId} poll={poll} voted={voted} {...(isChanging && { cancel: () => setChanging(false) })} />
      ) : (
        <>
          <Options topicId={topicId} poll={poll} />
          <div className={css.foot}>
            <span ref={confirmation} tabIndex={-1}>
              {hasVoted && <span role="status">{words('voted')} </span>}
              <Standing poll={poll} />
            </span>
            {may.vote && (
              <button type="button" className="plain" onClick={() => setChanging(true)}>
                {words('changeVote')}
              </button>
            )}
            <LoginToVote poll={poll} />
          </div>
        </>
      )}
      {(may.edit || may.end) && <AuthorActions topicId={topicId} poll={poll} reload={reload} />}
    </>
  )
}

function Facts({ poll: { maxChoices, endsAt, isEnded, isPublic, takesVotes } }: Pick<Props, 'poll'>) {
  const words = useWords('poll')
  const open = (
    <>
      {maxChoices > 1 ? words('mostChoices', { most: maxChoices }) : words('oneChoice')} · {words(isPublic ? 'isPublic' : 'isSecret')}
      {endsAt && (
        <>
          {' · '}
          {words('ends')} <Time at={endsAt} />
        </>
      )}
    </>
  )
  if (isEnded)
    return (
      <p className={`meta ${css.facts}`}>
        <strong>{words('hasEnded')}</strong> · {words(isPublic ? 'isPublic' : 'isSecret')}
      </p>
    )
  return <p className={`meta ${css.facts}`}>{takesVotes ? open : words('takesNone')}</p>
}

function LoginToVote({ poll }: Pick<Props, 'poll'>) {
  const words = useWords('poll')
  const me = useMember()
  const { pathname, search } = useLocation()
  const login = useLoginPath(`${pathname}${search}#poll`)
  if (me || !poll.takesVotes) return null
  return (
    <Link to={login} className="button quiet">
      {words('loginToVote')}
    </Link>
  )
}

function AuthorActions({ topicId, poll, reload }: Props) {
  const words = useWords('poll')
  const [isEditing, setEditing] = useState(false)
  const ending = useAction<typeof endPoll>('/poll/end')
  const dialog = useLater(
    () => import('#poll/web/edit-dialog.tsx'),
    isEditing,
    () => setEditing(false),
  )

  async function end(): Promise<void> {
    if (!(await confirm(words('endQuestion'), words('end')))) return
    await ending.run({ topicId }, { onSuccess: reload, message: words('endedNow') })
  }

  async function edited(): Promise<void> {
    await reload()
    setEditing(false)
  }

  return (
    <p className={css.actions}>
      {poll.may.edit && (
        <button type="button" className="plain" onClick={() => setEditing(true)}>
          {words('edit')}
        </button>
      )}
      {poll.may.end && (
        <button type="button" className="plain" disabled={ending.isBusy} onClick={() => void end()}>
          {words('end')}
        </button>
      )}
      {isEditing && dialog && <dialog.EditDialog topicId={topicId} poll={poll} edited={edited} close={() => setEditing(false)} />}
    </p>
  )
}
