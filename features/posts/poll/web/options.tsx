import { useState, type ReactNode } from 'react'
import { useLater } from '#base/web/lazy-part.ts'
import { Icon } from '#base/web/icon.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PollStateView } from '#poll/contract.ts'
import css from '#poll/web/poll.module.css'

type Option = PollStateView['options'][number]

/** The options with their results, if the reader may see them, and the reader's own vote. */
export function Options({ topicId, poll }: { topicId: string; poll: PollStateView }) {
  const words = useWords('poll')
  const [shown, showVoters] = useState<Option | null>(null)
  const dialog = useLater(
    () => import('#poll/web/voters.tsx'),
    shown !== null,
    () => showVoters(null),
  )
  return (
    <>
      <ul className={css.options}>
        {poll.options.map((option) => {
          const isMine = poll.mine.includes(option.id)
          return (
            <li key={option.id}>
              <OptionRow poll={poll} option={option} {...(poll.isPublic && { showVoters: () => showVoters(option) })}>
                {poll.mine.length > 0 && (
                  <span className={css.mine} title={isMine ? words('yourVote') : undefined}>
                    {isMine && <Icon name="check" size={18} />}
                    {isMine && <span className="hidden">{words('yourVote')}: </span>}
                  </span>
                )}
              </OptionRow>
            </li>
          )
        })}
      </ul>
      {shown && dialog && <dialog.VotersDialog topicId={topicId} option={shown} close={() => showVoters(null)} />}
    </>
  )
}

type RowProps = {
  poll: PollStateView
  option: Option
  showVoters?: () => void
  /** Before the label. */
  children?: ReactNode
}

/** One option: its label, and its share of the voters as text and as a bar. */
export function OptionRow({ poll: { results }, option: { id, label }, showVoters, children }: RowProps) {
  const words = useWords('poll')
  const language = useLanguage()
  const count = results?.votes.find(({ optionId }) => optionId === id)?.count ?? 0
  const share = results && results.voters > 0 ? count / results.voters : 0
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(share)
  const text = words('votesOf', { count, share: percent })
  return (
    <span className={css.option}>
      {children}
      <bdi className={css.label}>{label}</bdi>
      {results &&
        (showVoters && count > 0 ? (
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
        ))}
      {results && (
        <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height="1" />
        </svg>
      )}
    </span>
  )
}
