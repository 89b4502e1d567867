import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Form, Submit, TextField } from '#base/web/form.tsx'
import { Segments } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Quote } from '#base/web/quote.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import {
  decideMessageReport,
  outcomes,
  type messageReportView,
  type OpenedMessage,
  type openMessageReport,
} from '#message/staff-contract.ts'
import type { AuthorView } from '#user/contract.ts'
import css from '#message/admin/message-report-page.module.css'

type Report = Output<typeof messageReportView>

export function Page() {
  const words = useWords('messageAdmin')
  const found = useLoaderData<Report>()
  return (
    <>
      <h1>{words('report')}</h1>
      <p className="meta">
        <Time at={found.reportedAt} /> · {words('author')}: <MemberLink of={found.author} /> · {words('reporter')}:{' '}
        <MemberLink of={found.reporter} />
      </p>
      <Quote by={words('reason')}>{found.reason}</Quote>
      <Messages key={found.id} found={found} />
      {found.outcome ? <DecisionNote found={found} /> : <DecisionForm found={found} />}
    </>
  )
}

/** A member, linked to the page where staff ban and warn them. */
function MemberLink({ of: { id, name } }: { of: AuthorView }) {
  return <Link to={`/admin/member/view?memberId=${id}`}>{name}</Link>
}

/** The messages, after a confirmation to read them. */
function Messages({ found }: { found: Report }) {
  const words = useWords('messageAdmin')
  const open = useAction<typeof openMessageReport>('/admin/messageReport/open')
  const [messages, show] = useState<readonly OpenedMessage[] | null>(null)

  async function read(): Promise<void> {
    const opened = await open.run({ reportId: found.id })
    if (opened) show(opened.messages)
  }

  if (!messages)
    return (
      <p>
        <button type="button" className="button quiet" disabled={open.isBusy} onClick={() => void read()}>
          {words('read')}
        </button>{' '}
        <small className="meta">{words('readWhat')}</small>
      </p>
    )
  return (
    <ol className={css.messages}>
      {messages.map(({ id, author, isReported, segments, sentAt }) => (
        <li key={id} data-reported={isReported || undefined}>
          <p className="meta">
            <bdi>{author.name}</bdi> · <Time at={sentAt} /> {isReported && <span className="mark">{words('isReported')}</span>}
          </p>
          <Segments segments={segments} />
        </li>
      ))}
    </ol>
  )
}

function DecisionForm({ found }: { found: Report }) {
  const words = useWords('messageAdmin')
  if (!found.mayDecide) return <p className="note">{words('ownCase')}</p>
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{words('decide')}</h2>
      <Form endpoint={decideMessageReport} extra={{ reportId: found.id }} onSuccess={() => void toast(words('decidedNow'))}>
        <UnsavedGuard />
        <SelectField name="outcome" label={words('outcome')} help={words('outcomeHelp')} required defaultValue="">
          <option value="">{words('choose')}</option>
          {outcomes.map((outcome) => (
            <option key={outcome} value={outcome}>
              {words(outcome)}
            </option>
          ))}
        </SelectField>
        <TextField name="result" label={words('result')} help={words('resultHelp')} maxLength={1_000} rows={3} />
        <Submit>{words('decide')}</Submit>
      </Form>
    </section>
  )
}

function DecisionNote({ found: { outcome, decidedBy, decidedAt, result } }: { found: Report }) {
  const words = useWords('messageAdmin')
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{words('decision')}</h2>
      <p>
        <strong>{outcome && words(outcome)}</strong> · {decidedBy} {decidedAt && <Time at={decidedAt} />}
      </p>
      {result && <Quote by={words('result')}>{result}</Quote>}
    </section>
  )
}
