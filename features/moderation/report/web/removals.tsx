import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Quote } from '#base/web/quote.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { appealRemoval, maxLength, type myRemovals } from '#report/contract.ts'
import { ReportedPost } from '#report/web/reported-post.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#report/web/report.module.css'

type List = Output<typeof myRemovals>
type Removal = List['removals'][number]

/** My posts that staff removed, each with its reason and the possible actions. */
export function Removals({ removals, page, pages, total }: List) {
  const words = useWords('report')
  if (removals.length === 0) return <Empty>{words('noneRemoved')}</Empty>
  return (
    <>
      <ol className={css.list}>
        {removals.map((removal) => (
          <Line key={removal.id} removal={removal} />
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </>
  )
}

function Line({ removal }: { removal: Removal }) {
  const { id, thing, why, removedAt, appeal, isBack, isOnPage } = removal
  const words = useWords('report')
  return (
    <li>
      <p className="meta">
        <span className={css.status} data-status={isBack ? 'succeeded' : undefined}>
          {words(statusOf(removal))}
        </span>{' '}
        · <Time at={removedAt} />
      </p>
      <ReportedPost thing={thing} isGone={!isOnPage} />
      <Quote by={words('why')}>{why}</Quote>
      <Quote by={words('yourAppeal')}>{appeal?.text}</Quote>
      <Quote by={words('answer')}>{appeal?.answer}</Quote>
      {!appeal && !isBack && thing.title && <Appeal removalId={id} />}
    </li>
  )
}

function statusOf({ isBack, isOnPage, appeal }: Removal) {
  if (isBack) return isOnPage ? 'isBack' : 'notOnPage'
  if (!appeal) return 'removed'
  return appeal.outcome === null ? 'appealWaits' : 'confirmed'
}

function Appeal({ removalId }: { removalId: string }) {
  const words = useWords('report')
  const { siteState } = useSite()
  const [isOpen, open] = useState(false)
  if (siteState !== 'open') return null
  if (!isOpen)
    return (
      <p className={css.actions}>
        <button type="button" className="button quiet" onClick={() => open(true)}>
          {words('appeal')}
        </button>
      </p>
    )
  return (
    <Form endpoint={appealRemoval} extra={{ removalId }} onSuccess={() => void toast(words('appealed'))}>
      <TextField name="text" label={words('appealText')} help={words('appealHelp')} maxLength={maxLength.appeal} rows={4} autoFocus />
      <Submit>{words('sendAppeal')}</Submit>
    </Form>
  )
}
