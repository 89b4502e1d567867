import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { KindFilter } from '#review/admin/kind-filter.tsx'
import { decidedReviews, type DecidedView, type undoReview } from '#review/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { usePostWord } from '#kind/web/kind.tsx'
import css from '#review/admin/review-page.module.css'

/** Decided reviews with the actor, the reason and the undo. */
export function Page() {
  const words = useWords('reviewAdmin')
  const page = useLoaderData<Output<typeof decidedReviews>>()
  return (
    <>
      <Head title={words('decidedList')}>
        <Link to="/admin/review" className="button quiet">
          {words('toQueue')}
        </Link>
      </Head>
      <StaffList
        of={decidedReviews}
        page={page}
        cells={useDecidedCells()}
        filterFields={{ kind: <KindFilter />, batchId: false }}
        people={page.rows.map(({ author }) => author)}
      />
    </>
  )
}

function useDecidedCells(): CellsOf<typeof decidedReviews> {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  return {
    outcome: { show: ({ outcome, isGone }) => words(isGone ? 'gone' : outcome) },
    post: { show: (row) => <Post row={row} />, text: ({ title, summary }) => `${title} ${summary}` },
    reason: { text: ({ reason }) => reason?.[language] },
    undo: { show: (row) => row.canUndo && <Undo row={row} /> },
  }
}

function Post({ row: { kind, thread, isEdit, title, summary, topicId, postId } }: { row: DecidedView }) {
  const word = usePostWord()
  const words = useWords('reviewAdmin')
  const text = kind === 'topic' ? title : summary
  const to = `/admin/topic/view?topicId=${topicId}${kind === 'topic' ? '' : `&${kind}Id=${postId}`}`
  return (
    <div className={css.decided}>
      <span className="meta">{words(isEdit ? 'editOf' : 'new', { kind: word({ kind, thread }) })}</span>
      <span className={css.said}>{mayDo('content.view') ? <Link to={to}>{text}</Link> : text}</span>
    </div>
  )
}

function Undo({ row: { id: reviewId, outcome } }: { row: DecidedView }) {
  const words = useWords('reviewAdmin')
  const undo = useAction<typeof undoReview>('/admin/review/undo')

  async function ask(): Promise<void> {
    const question = words(outcome === 'approved' ? 'undoAskApproved' : 'undoAskRejected')
    if (await confirm(question, words('undo'))) await undo.run({ reviewId }, { message: words('undone') })
  }

  return (
    <button type="button" className="plain" disabled={undo.isBusy} onClick={() => void ask()}>
      {words('undo')}
    </button>
  )
}
