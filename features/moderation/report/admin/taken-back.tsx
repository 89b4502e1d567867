import type { Output } from '#base/contract.ts'
import { Quote } from '#base/web/quote.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { caseView } from '#report/staff-contract.ts'

/** Earlier decisions that were reversed: the staff account and the reason of each. */
export function TakenBack({ all, to }: { all: Output<typeof caseView>['takenBack']; to: 'result' | 'answer' }) {
  const words = useWords('reportAdmin')
  if (all.length === 0) return null
  return (
    <section aria-labelledby="before">
      <h2 id="before">{words('decidedBefore')}</h2>
      {all.map(({ id, outcome, said, remark, decidedBy, decidedAt, by, at, reason }) => (
        <div key={id}>
          <p>
            <strong>{words(outcome)}</strong> · {decidedBy} <Time at={decidedAt} />
          </p>
          <Quote by={words(to)}>{said}</Quote>
          <Quote by={words('remark')}>{remark}</Quote>
          <Quote
            by={
              <>
                {words('takenBackBy', { account: by })} <Time at={at} />
              </>
            }
          >
            {reason}
          </Quote>
        </div>
      ))}
    </section>
  )
}
