import { useWords } from '#base/web/words.tsx'
import type { PollStateView } from '#poll/contract.ts'

const hiddenWords = { always: 'hiddenUntilVoted', voted: 'hiddenUntilVoted', ended: 'hiddenUntilEnd' } as const

/** The number of voters, or when the results appear. */
export function Standing({ poll: { results, showsResults } }: { poll: PollStateView }) {
  const words = useWords('poll')
  return (
    <span className="meta" aria-live="polite">
      {results ? words('voters', { count: results.voters }) : words(hiddenWords[showsResults])}
    </span>
  )
}
