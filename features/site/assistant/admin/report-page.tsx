import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { allowSources, documentOf } from '#assistant/links.ts'
import { handleAnswerReport, type answerReportView, type openAnswerReport, type ReportedTurn } from '#assistant/report-contract.ts'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { useAction } from '#base/web/action.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Segments } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Quote } from '#base/web/quote.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/admin/report-page.module.css'

type Report = Output<typeof answerReportView>

/** A report of an answer. */
export function Page() {
  const words = useWords('assistantAdmin')
  const found = useLoaderData<Report>()
  const { member, reason, note, reportedAt } = found
  return (
    <>
      <h1>{words('report')}</h1>
      <p className="meta">
        <Time at={reportedAt} /> · {words('reporter')}: <Link to={`/admin/member/view?memberId=${member.id}`}>{member.name}</Link> ·{' '}
        {words('reason')}: {words(`reason${reason}`)}
      </p>
      <Quote by={words('note')}>{note}</Quote>
      <Conversation key={found.id} reportId={found.id} />
      {found.handledAt ? <ReportResult found={found} /> : <HandleForm found={found} />}
    </>
  )
}

/** The conversation, opened only on request, because access is logged. */
function Conversation({ reportId }: { reportId: string }) {
  const words = useWords('assistantAdmin')
  const open = useAction<typeof openAnswerReport>('/admin/assistant/report/open')
  const [opened, show] = useState<Output<typeof openAnswerReport> | null>(null)

  async function read(): Promise<void> {
    const answer = await open.run({ reportId })
    if (answer) show(answer)
  }

  if (!opened)
    return (
      <p>
        <button type="button" className="button quiet" disabled={open.isBusy} onClick={() => void read()}>
          {words('read')}
        </button>{' '}
        <small className="meta">{words('readWhat')}</small>
      </p>
    )
  const { turns } = opened
  if (!turns) return <p className="note">{words('copyGone')}</p>
  return (
    <ol className={css.turns}>
      {turns.map((turn) => (
        <Turn key={turn.id} turn={turn} isReported={turn === turns.at(-1)} />
      ))}
    </ol>
  )
}

const nothingBeside = { picture: () => null, mention: () => null }

function Turn({ turn: { prompt, answer, sources, model, isStandIn, at }, isReported }: { turn: ReportedTurn; isReported: boolean }) {
  const words = useWords('assistantAdmin')
  return (
    <li data-reported={isReported || undefined}>
      <p className="meta">
        {words('asked')} · <Time at={at} />
      </p>
      <p className={css.prompt} dir="auto">
        {prompt}
      </p>
      <p className="meta">
        {isReported ? <span className="mark">{words('reportedAnswer')}</span> : words('answer')} {model && <bdi>{model}</bdi>}{' '}
        {isStandIn && <span className="mark">{words('standIn')}</span>}
      </p>
      <Segments segments={toSegments(documentOf(answer, allowSources(sources, [prompt])), nothingBeside)} />
      {sources.length > 0 && (
        <details>
          <summary>{words('sources')}</summary>
          <ol>
            {sources.map(({ number, title, path }) => (
              <li key={path} value={number}>
                <a href={path} target="_blank" rel="noopener">
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

function HandleForm({ found }: { found: Report }) {
  const words = useWords('assistantAdmin')
  if (!found.mayHandle) return <p className="note">{words('ownCase')}</p>
  return (
    <section aria-labelledby="handle">
      <h2 id="handle">{words('handle')}</h2>
      <p className="meta">{words('handleHelp')}</p>
      <Form endpoint={handleAnswerReport} extra={{ reportId: found.id }} onSuccess={() => void toast(words('handledNow'))}>
        <UnsavedGuard />
        <TextField name="result" label={words('result')} help={words('resultHelp')} maxLength={1_000} rows={3} />
        <Submit>{words('handle')}</Submit>
      </Form>
    </section>
  )
}

function ReportResult({ found: { handledBy, handledAt, result } }: { found: Report }) {
  const words = useWords('assistantAdmin')
  return (
    <section aria-labelledby="handled">
      <h2 id="handled">{words('handled')}</h2>
      <p>
        {handledBy} {handledAt && <Time at={handledAt} />}
      </p>
      <Quote by={words('result')}>{result}</Quote>
    </section>
  )
}
