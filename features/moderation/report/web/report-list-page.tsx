import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Quote } from '#base/web/quote.tsx'
import { Empty } from '#base/web/states.tsx'
import { Tabs } from '#base/web/tabs.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { maxLength, supplyReason, type hideReport, type myRemovals, type myReports } from '#report/contract.ts'
import { PicturesField } from '#report/web/pictures-field.tsx'
import { Removals } from '#report/web/removals.tsx'
import { ReportedPost } from '#report/web/reported-post.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#report/web/report.module.css'

type Reports = Output<typeof myReports>
type Data = { reports: Reports | null; removals: Output<typeof myRemovals> | null }

export function Page() {
  const words = useWords('report')
  const { reports, removals } = useLoaderData<Data>()
  return (
    <section className="column">
      <Tabs label={words('reports')}>
        <Link to="/user/control/reportList" aria-current={reports ? 'page' : undefined}>
          {words('byMe')}
        </Link>
        <Link to="/user/control/reportList?view=removed" aria-current={removals ? 'page' : undefined}>
          {words('ofMine')}
        </Link>
      </Tabs>
      {reports && <List {...reports} />}
      {removals && <Removals {...removals} />}
    </section>
  )
}

function List({ reports, page, pages, total, picturesEach }: Reports) {
  const words = useWords('report')
  if (reports.length === 0) return <Empty>{words('none')}</Empty>
  return (
    <>
      <ol className={css.list}>
        {reports.map((report) => (
          <Line key={report.id} report={report} picturesLeft={picturesEach - report.pictures.length} />
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </>
  )
}

function Line({ report, picturesLeft }: { report: Reports['reports'][number]; picturesLeft: number }) {
  const words = useWords('report')
  const nameOf = useNameOf()
  const hide = useAction<typeof hideReport>('/report/hide')

  async function ask(): Promise<void> {
    if (await confirm(words('hideQuestion'), words('hide'))) await hide.run({ reportId: report.id }, { message: words('hidden') })
  }

  return (
    <li>
      <p className="meta">
        <span className={css.status} data-status={report.status}>
          {words(report.status)}
        </span>{' '}
        {report.isDeletedByStaff && <span className="mark">{words('deletedByStaff')}</span>} · <Time at={report.reportedAt} />
      </p>
      <ReportedPost thing={report.thing} />
      <p className="meta">{nameOf(report.category)}</p>
      <Quote by={words('yourReason')}>{report.reason}</Quote>
      {report.pictures.length > 0 && (
        <ul className={css.pictures}>
          {report.pictures.map((src, index) => (
            <li key={src}>
              <img src={src} alt={words('picture', { number: index + 1 })} />
            </li>
          ))}
        </ul>
      )}
      <Quote by={words('result')}>{report.result}</Quote>
      {report.status === 'needsReason' && !report.isDeletedByStaff && <Supply report={report} picturesLeft={picturesLeft} />}
      <p className={css.actions}>
        <button type="button" className="plain" disabled={hide.isBusy} onClick={() => void ask()}>
          {words('hide')}
        </button>
      </p>
    </li>
  )
}

function Supply({ report, picturesLeft }: { report: Reports['reports'][number]; picturesLeft: number }) {
  const words = useWords('report')
  const { siteState } = useSite()
  const [isOpen, open] = useState(false)
  if (siteState !== 'open') return <Quote by={words('asked')}>{report.asked}</Quote>
  return (
    <>
      <Quote by={words('asked')}>{report.asked}</Quote>
      {isOpen ? (
        <Form endpoint={supplyReason} extra={{ reportId: report.id }} onSuccess={() => void toast(words('supplied'))}>
          <TextField name="reason" label={words('more')} maxLength={maxLength.reason} rows={3} autoFocus />
          {picturesLeft > 0 && <PicturesField max={picturesLeft} />}
          <Submit>{words('supply')}</Submit>
        </Form>
      ) : (
        <button type="button" className="button" onClick={() => open(true)}>
          {words('supply')}
        </button>
      )}
    </>
  )
}
