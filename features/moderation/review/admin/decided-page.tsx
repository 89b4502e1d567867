import { useLoaderData } from 'react-router'
import { FilterChoice, FilterDay, Filters } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { Head } from '#base/admin/head.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { KindFilter } from '#review/admin/kind-filter.tsx'
import { decidedReviews, outcomes, type DecidedView, type undoReview } from '#review/contract.ts'
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
      <List
        of={decidedReviews}
        page={page}
        columns={useColumns()}
        filters={<DecidedFilters authors={page.rows.map(({ author }) => author)} />}
      />
    </>
  )
}

function DecidedFilters({ authors }: { authors: readonly DecidedView['author'][] }) {
  const words = useWords('reviewAdmin')
  return (
    <Filters>
      <KindFilter />
      <FilterChoice
        name="outcome"
        label={words('outcome')}
        any={words('all')}
        options={outcomes.map((outcome) => [outcome, words(outcome)])}
      />
      <FilterChoice name="by" label={words('by')} any={words('all')} options={[['me', words('me')]]} />
      <FilterPerson name="author" label={words('writer')} members={authors} />
      <FilterDay name="since" label={words('since')} edge="start" />
      <FilterDay name="until" label={words('until')} edge="end" />
    </Filters>
  )
}

function useColumns(): Column<DecidedView>[] {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  return [
    { name: 'decided', label: words('when'), time: ({ at }) => at },
    { name: 'by', label: words('by'), text: ({ by }) => by },
    {
      name: 'outcome',
      label: words('outcome'),
      show: ({ outcome, isGone }) => words(isGone ? 'gone' : outcome),
      text: ({ outcome }) => words(outcome),
    },
    { name: 'post', label: words('post'), show: (row) => <Post row={row} />, text: ({ title, summary }) => `${title} ${summary}` },
    {
      name: 'author',
      label: words('writer'),
      show: ({ author }) =>
        mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${author.id}`}>{author.name}</Link> : author.name,
      text: ({ author }) => author.name,
    },
    { name: 'reason', label: words('reason'), text: ({ reason }) => reason?.[language] },
    { name: 'undo', label: words('undo'), show: (row) => row.canUndo && <Undo row={row} /> },
  ]
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
