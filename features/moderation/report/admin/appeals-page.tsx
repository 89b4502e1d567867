import { useLoaderData } from 'react-router'
import { Filters } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { StateFilter } from '#report/admin/state-filter.tsx'
import { ClaimMark, MemberLink } from '#report/admin/post-view.tsx'
import { ListKeys } from '#report/admin/queue-bar.tsx'
import { appeals, usePathOf } from '#report/admin/queue-navigation.ts'
import { appealList, noteAppealExport } from '#report/staff-contract.ts'
import { nameOf } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Appeals = Output<typeof appealList>
type Appeal = Appeals['rows'][number]

export function Page() {
  const words = useWords('reportAdmin')
  const page = useLoaderData<Appeals>()
  const title = usePostTitle()
  const pathOf = usePathOf(appeals)
  return (
    <>
      <h1>{words('appeals')}</h1>
      <p className="meta">
        {words('appealsWhat')} <ListKeys way={appeals} />
      </p>
      <List
        of={appealList}
        exporting={noteAppealExport}
        page={page}
        columns={columnsIn(words, pathOf, title)}
        filters={
          <Filters>
            <StateFilter />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate, pathOf: (removalId: string) => string, title: ReturnType<typeof usePostTitle>): Column<Appeal>[] {
  return [
    { name: 'appealed', label: words('appealedAt'), time: ({ appeal }) => appeal.at },
    {
      name: 'thing',
      label: words('thing'),
      show: ({ id, thing, appeal }) => (
        <div className={css.thing}>
          <span className="mark">{title(thing)}</span>{' '}
          <Link to={pathOf(id)} data-line>
            {thing.title || words('erased')}
          </Link>
          <p>{appeal.text}</p>
        </div>
      ),
      text: ({ thing, appeal }) => `${nameOf(thing)} ${thing.id}: ${appeal.text}`,
    },
    { name: 'author', label: words('author'), show: ({ author }) => <MemberLink of={author} />, text: ({ author }) => author.name },
    {
      name: 'removedBy',
      label: words('removedBy'),
      show: ({ removedBy, removedByMember }) => (removedByMember ? <MemberLink of={removedByMember} /> : removedBy),
      text: ({ removedBy, removedByMember }) => removedByMember?.name ?? removedBy,
    },
    {
      name: 'outcome',
      label: words('outcome'),
      show: ({ appeal, mayDecide }) => words(appeal.outcome ?? (mayDecide ? 'pending' : 'forAnother')),
      text: ({ appeal }) => appeal.outcome,
    },
    {
      name: 'claimed',
      label: words('claimed'),
      show: ({ claim }) => <ClaimMark claim={claim} />,
      text: ({ claim }) => claim?.account,
    },
  ]
}
