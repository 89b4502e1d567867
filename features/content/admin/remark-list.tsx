import type { ReactNode } from 'react'
import { List, type Column, type Listing } from '#base/admin/list.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords, type Say } from '#base/web/words.tsx'
import { batchOf } from '#content/admin/batch.tsx'
import { ContentFilters, type Places } from '#content/admin/content-filters.tsx'
import { Standing } from '#content/admin/standing.tsx'
import type { commentsForStaff, repliesForStaff } from '#content/contract.ts'
import type { RemarkRow } from '#content/views.ts'
import css from '#content/admin/content.module.css'

type Kind = 'comment' | 'reply'
type RemarkListProps = {
  kind: Kind
  title: ReactNode
  of: typeof commentsForStaff | typeof repliesForStaff
  page: Listing<RemarkRow>
  tags: Places
}

/** Comments or replies, wherever they stand. */
export function RemarkList({ kind, title, of, page, tags }: RemarkListProps) {
  const words = useWords('contentAdmin')
  return (
    <>
      <h1>{title}</h1>
      <List
        of={of}
        page={page}
        columns={columnsIn(words, kind)}
        called={({ text, author }) => text || author.name}
        batch={batchOf(kind, tags)}
        filters={<ContentFilters tags={tags} />}
      />
    </>
  )
}

function columnsIn(words: Say, kind: Kind): Column<RemarkRow>[] {
  const all: Column<RemarkRow>[] = [
    { name: 'text', label: words(kind), show: (row) => <Text kind={kind} {...row} />, text: ({ text }) => text },
    {
      name: 'author',
      label: words('author'),
      show: ({ author }) => <Link to={`/admin/${kind}?author=${author.id}`}>{author.name}</Link>,
      text: ({ author }) => author.name,
    },
    {
      name: 'topic',
      label: words('topic'),
      show: ({ topic }) => (
        <>
          <Link to={`/admin/topic/view?topicId=${topic.id}`}>{topic.title}</Link> <Standing state={topic.state} reason={null} />
        </>
      ),
      text: ({ topic }) => topic.title,
    },
    { name: 'floor', label: words('floor'), show: ({ floor }) => floor, text: ({ floor }) => String(floor ?? '') },
    { name: 'published', label: words('publishedAt'), show: (row) => <Time at={row.publishedAt} />, text: (row) => row.publishedAt },
    { name: 'replies', label: words('replies'), show: (row) => row.replyCount, text: (row) => String(row.replyCount) },
    { name: 'state', label: words('state'), show: ({ state }) => words(state), text: ({ state }) => words(state), isExtra: true },
  ]
  return kind === 'comment' ? all : all.filter(({ name }) => name !== 'replies')
}

function Text({ kind, id, topic, text, state, reason }: RemarkRow & { kind: Kind }) {
  const words = useWords('contentAdmin')
  return (
    <span className={css.title}>
      <Link to={`/admin/topic/view?topicId=${topic.id}&${kind}Id=${id}#${kind}-${id}`} className={css.text}>
        {text || words('wordless')}
      </Link>{' '}
      <Standing state={state} reason={reason} />
    </span>
  )
}
