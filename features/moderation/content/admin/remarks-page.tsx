import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Listing } from '#base/list.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { RunningBatches, type CustomDialog } from '#batch/admin/batch.tsx'
import type { BatchView } from '#batch/contract.ts'
import { inSequence, usePostBatch } from '#content/admin/batch.tsx'
import { MoveDialog } from '#content/admin/move-dialog.tsx'
import { useContentFields } from '#content/admin/content-filters.tsx'
import type { Places } from '#content/admin/tag-choice.tsx'
import { remarks } from '#content/admin/remarks.ts'
import { AiLabelOf, PostState } from '#content/admin/post-state.tsx'
import type { commentsForStaff, RemarkRow } from '#content/list-contract.ts'
import css from '#content/admin/content.module.css'
import type { RemarkKind } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'

type Data = { kind: RemarkKind; page: Listing<RemarkRow>; tags: Places; atWork: readonly BatchView[] }

export function Page() {
  const data = useLoaderData<Data>()
  return <RemarkList key={data.kind} {...data} />
}

function RemarkList({ kind, page, tags, atWork }: Data) {
  const words = useWords('contentAdmin')
  const { lists, words: says } = remarks[kind]
  const ask: CustomDialog<RemarkRow> = (rows, close, done) => (
    <MoveSelected rows={rows} tags={tags} close={close} onDone={inSequence(close, done)} />
  )
  const moving = { name: 'move', label: words('moveThem'), ask }
  const batch = usePostBatch(kind, tags, kind === 'comment' ? moving : undefined)
  return (
    <>
      <h1>{words(says.many)}</h1>
      <RunningBatches batches={atWork} />
      <StaffList
        of={lists}
        page={page}
        cells={remarkCells(kind)}
        filterFields={useContentFields(kind, tags)}
        people={page.rows.map(({ author }) => author)}
        called={({ text, author }) => text || author.name}
        bulkActions={batch}
      />
    </>
  )
}

type MoveSelectedProps = { rows: readonly RemarkRow[]; tags: Places; close: () => void; onDone: () => void }

/** Comments can only be moved together if they are in one topic. */
function MoveSelected({ rows, tags, close, onDone }: MoveSelectedProps) {
  const words = useWords('contentAdmin')
  const [first] = rows
  if (!first) return null
  if (rows.some(({ topic }) => topic.id !== first.topic.id)) {
    return (
      <Dialog title={words('movingTitle', { of: first.topic.kind, count: rows.length })} isOpen close={close}>
        <p>{words('ofOneTopic')}</p>
      </Dialog>
    )
  }
  const topic = { ...first.topic, place: first.place }
  return <MoveDialog topic={topic} commentIds={rows.map(({ id }) => id)} tags={tags} close={close} onDone={onDone} />
}

function remarkCells(kind: RemarkKind): CellsOf<typeof commentsForStaff> {
  return {
    text: { show: (row) => <Text kind={kind} {...row} /> },
    author: {
      show: ({ author }) => <Link to={`/admin/${kind}?author=${author.id}`}>{author.name}</Link>,
      text: ({ author }) => author.name,
    },
    topic: {
      show: ({ topic }) => (
        <>
          <Link to={`/admin/topic/view?topicId=${topic.id}`}>{topic.title}</Link> <PostState state={topic.state} reason={null} />
        </>
      ),
      text: ({ topic }) => topic.title,
    },
  }
}

function Text({ kind, id, topic, text, state, reason, aiLabel }: RemarkRow & { kind: RemarkKind }) {
  const words = useWords('contentAdmin')
  const title = usePostTitle()
  return (
    <span className={css.title}>
      <Link to={`/admin/topic/view?topicId=${topic.id}&${kind}Id=${id}#${kind}-${id}`} className={css.text}>
        {text || words('wordless')}
      </Link>{' '}
      {topic.kind === 'question' && <span className="mark">{title({ kind, thread: topic.kind })}</span>} <AiLabelOf label={aiLabel} />{' '}
      <PostState state={state} reason={reason} />
    </span>
  )
}
