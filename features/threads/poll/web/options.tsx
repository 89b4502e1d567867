import { useState } from 'react'
import { useLater } from '#base/web/lazy-part.ts'
import { Icon } from '#base/web/icon.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PollStateView } from '#poll/contract.ts'
import css from '#poll/web/poll.module.css'

type Option = PollStateView['options'][number]

/** The options with their results, if the reader may see them, and the reader's own vote. */
export function Options({ topicId, poll }: { topicId: string; poll: PollStateView }) {
  const [shown, showVoters] = useState<Option | null>(null)
  const dialog = useLater(
    () => import('#poll/web/voters.tsx'),
    shown !== null,
    () => showVoters(null),
  )
  return (
    <>
      <ul className={css.options}>
        {poll.options.map((option) => (
          <li key={option.id} className={css.option}>
            {poll.mine.length > 0 && <OwnMark isMine={poll.mine.includes(option.id)} />}
            <bdi className={css.label}>{option.label}</bdi>
            <Share poll={poll} option={option} {...(poll.isPublic && { showVoters: () => showVoters(option) })} />
          </li>
        ))}
      </ul>
      {shown && dialog && <dialog.VotersDialog topicId={topicId} option={shown} close={() => showVoters(null)} />}
    </>
  )
}

function OwnMark({ isMine }: { isMine: boolean }) {
  const words = useWords('poll')
  return (
    <span className={css.mine} title={isMine ? words('yourVote') : undefined}>
      {isMine && <Icon name="check" size={18} />}
      {isMine && <span className="hidden">{words('yourVote')}: </span>}
    </span>
  )
}

type ShareProps = { poll: PollStateView; option: Option; showVoters?: () => void }

/** The share of an option among the voters, as text and as a bar; nothing while the results are hidden. */
export function Share({ poll: { results }, option: { id, label }, showVoters }: ShareProps) {
  const words = useWords('poll')
  const language = useLanguage()
  if (!results) return null
  const count = results.votes.find(({ optionId }) => optionId === id)?.count ?? 0
  const share = results.voters > 0 ? count / results.voters : 0
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(share)
  const text = words('votesOf', { count, share: percent })
  return (
    <>
      {showVoters && count > 0 ? (
        <button
          type="button"
          className={`plain ${css.count}`}
          aria-label={`${words('showVoters', { option: label })}: ${text}`}
          onClick={showVoters}
        >
          {text}
        </button>
      ) : (
        <span className={css.count}>{text}</span>
      )}
      <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height="1" />
      </svg>
    </>
  )
}
