import { useEffect, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { reporting } from '#post/web/post.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { addReport, maxLength, type reportForm } from '#report/contract.ts'
import { Categories } from '#report/web/categories.tsx'
import { PicturesField } from '#report/web/pictures-field.tsx'
import type { NamedPost } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'

type ReportTarget = NamedPost & { id: string; postscript?: number }
type ReportFormData = Output<typeof reportForm>

/** The dialog to report a post; rendered once it is needed. */
export function ReportDialog() {
  const words = useWords('report')
  const word = usePostWord()
  const post = reporting.use()
  // Closed when the page is left, so that it is not open on return.
  useEffect(() => close, [])
  return (
    <Dialog title={post ? words('reportThis', { what: word(post) }) : ''} isOpen={post !== null} close={close}>
      {post && <Report key={`${post.kind} ${post.id} ${post.postscript}`} post={post} close={close} />}
    </Dialog>
  )
}

function close(): void {
  reporting.set(null)
}

type Props = { post: ReportTarget; close: () => void }

function Report({ post, close }: Props) {
  const words = useWords('report')
  const { form, retry } = useReportForm(post)
  if (form === 'failed') return <Failed retry={retry}>{words('formFailed')}</Failed>
  if (form === null) return <Skeleton lines={6} />
  if (!form.isOpen) return <p>{words('closed')}</p>
  if (form.isReported)
    return (
      <p>
        {words('already')} <Link to="/user/control/reportList">{words('toReports')}</Link>
      </p>
    )
  return <ReportForm post={post} form={form} close={close} />
}

function ReportForm({ post, form, close }: Props & { form: ReportFormData }) {
  const words = useWords('report')
  const [categoryId, choose] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const chosen = form.groups.flatMap(({ categories }) => categories).find(({ id }) => id === categoryId)

  function thank(): void {
    close()
    toast(words('thanks'))
  }

  return (
    <Form endpoint={addReport} extra={{ kind: post.kind, thingId: post.id }} onSuccess={thank} onRefused={() => setTries(tries + 1)}>
      <Categories groups={form.groups} choose={choose} />
      <TextField
        name="reason"
        label={words(chosen?.needsReason ? 'reason' : 'reasonIfAny')}
        help={words('reasonHelp')}
        defaultValue={post.postscript && words('ofPostscript', { number: post.postscript })}
        maxLength={maxLength.reason}
        rows={3}
      />
      {form.pictures > 0 && <PicturesField max={form.pictures} />}
      <CaptchaField purpose="report" isNeeded={form.needsCaptcha} tries={tries} />
      <p className="actions">
        <Submit>{words('send')}</Submit>
      </p>
    </Form>
  )
}

function useReportForm({ kind, id }: ReportTarget): { form: ReportFormData | 'failed' | null; retry: () => void } {
  const api = useApi()
  const [form, setForm] = useState<ReportFormData | 'failed' | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const left = new AbortController()
    api.read<typeof reportForm>('/report/form', { kind, thingId: id }, { silent: true, signal: left.signal }).then(
      (answer) => setForm(answer),
      () => left.signal.aborted || setForm('failed'),
    )
    return () => left.abort()
  }, [api, kind, id, tries])
  function retry(): void {
    setForm(null)
    setTries(tries + 1)
  }
  return { form, retry }
}
