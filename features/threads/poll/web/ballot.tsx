import { useId, useState, type FormEvent } from 'react'
import { useSubmission } from '#base/web/submission.ts'
import { useWords } from '#base/web/words.tsx'
import type { PollStateView, vote } from '#poll/contract.ts'
import { Share } from '#poll/web/options.tsx'
import { Standing } from '#poll/web/poll-standing.tsx'
import css from '#poll/web/poll.module.css'

type Props = {
  topicId: string
  poll: PollStateView
  voted: () => Promise<void>
  /** Leaves an earlier vote as it is. */
  cancel?: () => void
}

/** The form in which a member votes. A refusal stays beside the button. */
export function Ballot({ topicId, poll, voted, cancel }: Props) {
  const [words, site] = [useWords('poll'), useWords('site')]
  const name = useId()
  const { chosen, turn, wrong, isBusy, send } = useBallot(topicId, poll, voted)
  return (
    <form onSubmit={(event) => void send(event)} aria-label={words('poll')}>
      <ul className={css.options}>
        {poll.options.map((option) => (
          <li key={option.id}>
            <label className={css.option} data-chosen={chosen.includes(option.id) || undefined}>
              <input
                type={poll.maxChoices === 1 ? 'radio' : 'checkbox'}
                name={name}
                value={option.id}
                checked={chosen.includes(option.id)}
                onChange={() => turn(option.id)}
              />
              <bdi className={css.label}>{option.label}</bdi>
              <Share poll={poll} option={option} />
            </label>
          </li>
        ))}
      </ul>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div className={css.foot}>
        <Standing poll={poll} />
        <span className={css.buttons}>
          {cancel && (
            <button type="button" className="button quiet" onClick={cancel}>
              {site('cancel')}
            </button>
          )}
          <button className="button" aria-disabled={isBusy || undefined} data-busy={isBusy || undefined}>
            {words('vote')}
          </button>
        </span>
      </div>
    </form>
  )
}

/** The choices so far, and the vote itself. */
function useBallot(topicId: string, { mine, options, maxChoices }: PollStateView, voted: () => Promise<void>) {
  const words = useWords('poll')
  const [ticked, tick] = useState<readonly string[]>(mine)
  const [wrong, setWrong] = useState('')
  const { isBusy, submit } = useSubmission<typeof vote>('/poll/vote')
  const isSingle = maxChoices === 1
  // An option may have gone since it was chosen.
  const chosen = ticked.filter((id) => options.some((option) => option.id === id))

  function turn(id: string): void {
    setWrong('')
    if (isSingle) tick([id])
    else tick(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (chosen.length === 0) return setWrong(words(isSingle ? 'chooseOne' : 'chooseMost', { most: maxChoices }))
    if (chosen.length > maxChoices) return setWrong(words('tooManyChosen', { most: maxChoices }))
    const next = { actionKey: chosen.join(), onSuccess: voted, onRefused: ({ message }: { message: string }) => setWrong(message) }
    await submit({ topicId, optionIds: [...chosen] }, next)
  }

  return { chosen, turn, wrong, isBusy, send }
}
