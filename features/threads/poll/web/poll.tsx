import { useIdle, useLater } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'
import type { PollView } from '#poll/thread-part.ts'
import css from '#poll/web/poll.module.css'

type Props = { topicId: string; poll: PollView }

/** A poll of a thread. Its options come with the page; results and the ballot differ for each reader and load once the page is idle. */
export function Poll({ topicId, poll }: Props) {
  const words = useWords('poll')
  const part = useLater(() => import('#poll/web/live-poll.tsx'), useIdle())
  return (
    <section id="poll" className={css.poll} {...(poll.title ? { 'aria-labelledby': 'poll-title' } : { 'aria-label': words('poll') })}>
      {poll.title && (
        <h2 id="poll-title">
          <bdi>{poll.title}</bdi>
        </h2>
      )}
      {part ? <part.LivePoll topicId={topicId} poll={poll} /> : <PlainOptions poll={poll} />}
    </section>
  )
}

/** The options alone, at the height of the ballot. */
export function PlainOptions({ poll: { options } }: Pick<Props, 'poll'>) {
  return (
    <>
      <p className={css.facts} aria-hidden="true" />
      <ul className={css.options}>
        {options.map(({ id, label }) => (
          <li key={id} className={css.option}>
            <bdi className={css.label}>{label}</bdi>
          </li>
        ))}
      </ul>
      <div className={css.foot} aria-hidden="true" />
    </>
  )
}
