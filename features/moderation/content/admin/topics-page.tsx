import { useLoaderData } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { RunningBatches, type CustomDialog } from '#batch/admin/batch.tsx'
import type { BatchView } from '#batch/contract.ts'
import { inSequence, usePostBatch } from '#content/admin/batch.tsx'
import { ContentFilters } from '#content/admin/content-filters.tsx'
import { MergeDialog } from '#content/admin/merge-dialog.tsx'
import type { Places } from '#content/admin/tag-choice.tsx'
import { AiLabelOf, MarksOf, PostState } from '#content/admin/post-state.tsx'
import { topicsForStaff } from '#content/contract.ts'
import { marks, type TopicRow } from '#content/views.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#content/admin/content.module.css'

type Data = { page: Output<typeof topicsForStaff>; tags: Places; atWork: readonly BatchView[] }

export function Page() {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()
  const { page, tags, atWork } = useLoaderData<Data>()
  const ask: CustomDialog<TopicRow> = (rows, close, done) => <MergeDialog topics={rows} close={close} onDone={inSequence(close, done)} />
  const batch = usePostBatch('topic', tags, { name: 'merge', label: words('doMerge'), ask })
  return (
    <>
      <h1>{words('topics')}</h1>
      <RunningBatches batches={atWork} />
      <List
        of={topicsForStaff}
        page={page}
        columns={columnsIn(words, nameOf)}
        called={({ title }) => title}
        bulkActions={batch}
        filters={
          <ContentFilters kind="topic" tags={tags} authors={page.rows.map(({ author }) => author)}>
            <FilterChoice name="mark" label={words('mark')} any={words('anyMark')} options={marks.map((mark) => [mark, words(mark)])} />
          </ContentFilters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate, nameOf: ReturnType<typeof useNameOf>): Column<TopicRow>[] {
  return [
    { name: 'title', label: words('topic'), show: (row) => <Title {...row} />, text: ({ title }) => title },
    {
      name: 'author',
      label: words('author'),
      show: ({ author }) => <Link to={`/admin/topic?author=${author.id}`}>{author.name}</Link>,
      text: ({ author }) => author.name,
    },
    { name: 'tag', label: words('tag'), text: ({ place }) => nameOf(place.name) },
    { name: 'published', label: words('publishedAt'), time: (row) => row.publishedAt },
    { name: 'reply', label: words('lastReply'), time: (row) => row.lastReplyAt },
    { name: 'comments', label: words('allUnder'), text: (row) => String(row.commentCount) },
    { name: 'views', label: words('views'), text: (row) => String(row.viewCount) },
    { name: 'state', label: words('state'), text: ({ state }) => words(state), isExtra: true },
    {
      name: 'summary',
      label: words('text'),
      show: ({ text }) => <span className={css.text}>{text}</span>,
      text: ({ text }) => text,
      isExtra: true,
    },
  ]
}

function Title({ id, title, state, reason, marks: its, aiLabel }: TopicRow) {
  return (
    <span className={css.title}>
      <Link to={`/admin/topic/view?topicId=${id}`}>{title}</Link> <MarksOf marks={its} /> <AiLabelOf label={aiLabel} />{' '}
      <PostState state={state} reason={reason} />
    </span>
  )
}
