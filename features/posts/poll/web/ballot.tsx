import { useId, useState, type FormEvent } from 'react'
import { useSubmission } from '#base/web/submission.ts'
import { useWords } from '#base/web/words.tsx'
import type { PollStateView, vote } from '#poll/contract.ts'
import { OptionRow } from '#poll/web/options.tsx'
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
  const { maxChoices } = poll
  const [chosen, choose] = useState<readonly string[]>(poll.mine)
  const [wrong, setWrong] = useState('')
  const { isBusy, submit } = useSubmission<typeof vote>('/poll/vote')
  const isSingle = maxChoices === 1
  // An option may have gone since it was chosen.
  const present = chosen.filter((id) => poll.options.some((option) => option.id === id))

  function turn(id: string): void {
    setWrong('')
    if (isSingle) choose([id])
    else choose(present.includes(id) ? present.filter((one) => one !== id) : [...present, id])
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (present.length === 0) return setWrong(words(isSingle ? 'chooseOne' : 'chooseMost', { most: maxChoices }))
    if (present.length > maxChoices) return setWrong(words('tooManyChosen', { most: maxChoices }))
    await submit(
      { topicId, optionIds: [...present] },
      { actionKey: present.join(), onSuccess: voted, onRefused: ({ message }) => setWrong(message) },
    )
  }

  return (
    <form onSubmit={(event) => void send(event)} aria-label={words('poll')}>
      <ul className={css.options}>
        {poll.options.map((option) => (
          <li key={option.id}>
            <label data-chosen={present.includes(option.id) || undefined}>
              <OptionRow poll={poll} option={option}>
                <input
                  type={isSingle ? 'radio' : 'checkbox'}
                  name={name}
                  value={option.id}
                  checked={present.includes(option.id)}
                  onChange={() => turn(option.id)}
                />
              </OptionRow>
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
