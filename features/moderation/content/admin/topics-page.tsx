import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { RunningBatches, type CustomDialog } from '#batch/admin/batch.tsx'
import type { BatchView } from '#batch/contract.ts'
import { inSequence, usePostBatch } from '#content/admin/batch.tsx'
import { useContentFields } from '#content/admin/content-filters.tsx'
import { MergeDialog } from '#content/admin/merge-dialog.tsx'
import type { Places } from '#content/admin/tag-choice.tsx'
import { AiLabelOf, MarksOf, PostState } from '#content/admin/post-state.tsx'
import { topicsForStaff, type TopicRow } from '#content/list-contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#content/admin/content.module.css'

type Data = { page: Output<typeof topicsForStaff>; tags: Places; atWork: readonly BatchView[] }

export function Page() {
  const words = useWords('contentAdmin')
  const { page, tags, atWork } = useLoaderData<Data>()
  const ask: CustomDialog<TopicRow> = (rows, close, done) => <MergeDialog topics={rows} close={close} onDone={inSequence(close, done)} />
  const batch = usePostBatch('topic', tags, { name: 'merge', label: words('doMerge'), ask })
  return (
    <>
      <h1>{words('topics')}</h1>
      <RunningBatches batches={atWork} />
      <StaffList
        of={topicsForStaff}
        page={page}
        cells={topicCells(useNameOf())}
        filterFields={useContentFields('topic', tags)}
        people={page.rows.map(({ author }) => author)}
        called={({ title }) => title}
        bulkActions={batch}
      />
    </>
  )
}

function topicCells(nameOf: ReturnType<typeof useNameOf>): CellsOf<typeof topicsForStaff> {
  return {
    title: { show: (row) => <Title {...row} /> },
    author: {
      show: ({ author }) => <Link to={`/admin/topic?author=${author.id}`}>{author.name}</Link>,
      text: ({ author }) => author.name,
    },
    place: { text: ({ place }) => nameOf(place.name) },
    text: { show: ({ text }) => <span className={css.text}>{text}</span> },
  }
}

function Title({ id, title, state, reason, marks: its, aiLabel }: TopicRow) {
  return (
    <span className={css.title}>
      <Link to={`/admin/topic/view?topicId=${id}`}>{title}</Link> <MarksOf marks={its} /> <AiLabelOf label={aiLabel} />{' '}
      <PostState state={state} reason={reason} />
    </span>
  )
}
