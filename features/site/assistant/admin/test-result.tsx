import { PartMarks } from '#assistant/admin/part-marks.tsx'
import type { testModel } from '#assistant/staff-contract.ts'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/admin/assistant.module.css'

type Tested = Output<typeof testModel>

/** The answer of a model to a test, or the reason for its failure. */
export function TestResult({ tested, isStandIn }: { tested: Tested; isStandIn: boolean }) {
  const words = useWords('assistantAdmin')
  const { problem, status, model, answer, firstWordMs, totalMs, inputTokens, outputTokens, refusedParts } = tested
  if (problem !== null)
    return (
      <p className={css.result} data-bad>
        {words(`problem${problem}`)} {status !== null && <span className="meta">HTTP {status}</span>}
      </p>
    )
  return (
    <div className={css.result}>
      <p>
        {words(isStandIn ? 'standInWorks' : 'works')} {model && <code>{model}</code>}
      </p>
      <p className="meta">
        {firstWordMs !== null && words('took', { first: firstWordMs, total: totalMs })}{' '}
        {inputTokens !== null && outputTokens !== null && words('tokensOf', { input: inputTokens, output: outputTokens })}
      </p>
      <PartMarks label={words('worksWithout')} parts={refusedParts} />
      {answer && <blockquote dir="auto">{answer}</blockquote>}
    </div>
  )
}
