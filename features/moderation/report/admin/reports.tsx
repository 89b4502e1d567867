import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { maxLength } from '#report/contract.ts'
import { MemberLink } from '#report/admin/post-view.tsx'
import { askForReason, type caseView, type removeReport, type reportPicture, type restoreReport } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#report/admin/report.module.css'

type Case = Output<typeof caseView>
type Report = Case['list'][number]

/** The reporters, with their texts. */
export function Reports({ found }: { found: Case }) {
  const words = useWords('reportAdmin')
  const [selected, ask] = useState<Report | null>(null)
  return (
    <section aria-labelledby="who">
      <h2 id="who">{words('whoReported')}</h2>
      <ol className={css.reports}>
        {found.list.map((report) => (
          <ReportLine key={report.id} report={report} isOpen={found.outcome === null} mayDecide={found.mayDecide} ask={() => ask(report)} />
        ))}
      </ol>
      <Dialog title={words('askTitle', { name: selected?.reporter?.name ?? '' })} isOpen={selected !== null} close={() => ask(null)}>
        {selected && <AskForReasonForm report={selected} version={found.version} onDone={() => ask(null)} />}
      </Dialog>
    </section>
  )
}

type LineProps = { report: Report; isOpen: boolean; mayDecide: boolean; ask: () => void }

function ReportLine({ report, isOpen, mayDecide, ask }: LineProps) {
  const words = useWords('reportAdmin')
  const language = useLanguage()
  const { reporter, record, category, reason, asked, status, isDeletedByStaff, isDeletedByUser } = report
  return (
    <li data-out={isDeletedByStaff || undefined}>
      <header>
        {reporter ? <MemberLink of={reporter} /> : words('somebody')} {record && <span className="meta">{words('record', record)}</span>}
        {mayDecide && mayDo('report.decide') && <Actions report={report} isOpen={isOpen} ask={ask} />}
      </header>
      <p className="meta">
        <bdi>{category[language]}</bdi> · {words(status)} · <Time at={report.reportedAt} />
        {isDeletedByStaff && <span className="mark">{words('outByStaff')}</span>}
        {isDeletedByUser && <span className="mark">{words('outByUser')}</span>}
      </p>
      {reason && <p className={css.reason}>{reason}</p>}
      {report.pictures.length > 0 && (
        <p className={css.pictures}>
          {report.pictures.map((file, index) => (
            <Picture key={file} reportId={report.id} file={file} number={index + 1} />
          ))}
        </p>
      )}
      {asked && (
        <p className="meta">
          {words('asked')} <bdi>{asked}</bdi>
        </p>
      )}
    </li>
  )
}

function Actions({ report: { id, reporter, isDeletedByStaff }, isOpen, ask }: { report: Report; isOpen: boolean; ask: () => void }) {
  const words = useWords('reportAdmin')
  const remove = useAction<typeof removeReport>('/admin/report/remove')
  const restore = useAction<typeof restoreReport>('/admin/report/restore')

  async function takeOut(): Promise<void> {
    if (await confirm(words('takeOutAsk'), words('takeOut'))) await remove.run({ reportId: id })
  }

  return (
    <Menu label={words('actionsFor', { name: reporter?.name ?? '' })}>
      {isOpen && !isDeletedByStaff && <MenuButton onClick={ask}>{words('ask')}</MenuButton>}
      {isDeletedByStaff ? (
        <MenuButton onClick={() => void restore.run({ reportId: id })}>{words('putBack')}</MenuButton>
      ) : (
        <MenuButton danger onClick={() => void takeOut()}>
          {words('takeOut')}
        </MenuButton>
      )}
    </Menu>
  )
}

function AskForReasonForm({ report, version, onDone }: { report: Report; version: number; onDone: () => void }) {
  const words = useWords('reportAdmin')
  const { revalidate } = useRevalidator()
  function sent(): void {
    onDone()
    toast(words('askedNow'))
  }
  return (
    <Form endpoint={askForReason} extra={{ reportId: report.id, version }} onSuccess={sent} onRefused={() => void revalidate()}>
      <TextField name="question" label={words('question')} help={words('questionHelp')} maxLength={maxLength.result} rows={3} data-first />
      <Submit>{words('ask')}</Submit>
    </Form>
  )
}

/** Loaded by a call, because the picture has no address that others could open. */
function Picture({ reportId, file, number }: { reportId: string; file: string; number: number }) {
  const words = useWords('reportAdmin')
  const api = useApi()
  const [src, setSrc] = useState<string | null>(null)
  const [isFailed, setFailed] = useState(false)
  const [isOpen, open] = useState(false)
  useEffect(() => {
    const left = new AbortController()
    api.read<typeof reportPicture>('/admin/report/picture', { reportId, file }, { silent: true, signal: left.signal }).then(
      (picture) => setSrc(picture.src),
      () => left.signal.aborted || setFailed(true),
    )
    return () => left.abort()
  }, [api, reportId, file])
  const name = words('picture', { number })
  if (isFailed) return <span className="meta">{words('pictureFailed', { number })}</span>
  return (
    <>
      <button type="button" className={css.picture} aria-label={name} disabled={src === null} onClick={() => open(true)}>
        {src && <img src={src} alt="" />}
      </button>
      <Dialog title={name} isOpen={isOpen} close={() => open(false)}>
        {src && <img src={src} alt={name} />}
      </Dialog>
    </>
  )
}
