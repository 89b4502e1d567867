import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { ClaimMark, MemberLink } from '#report/admin/post-view.tsx'
import { ListKeys } from '#report/admin/queue-bar.tsx'
import { appeals, usePathOf } from '#report/admin/queue-navigation.ts'
import { appealList, noteAppealExport } from '#report/staff-contract.ts'
import { nameOf } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Appeals = Output<typeof appealList>

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
      <StaffList of={appealList} page={page} cells={appealCells(words, pathOf, title)} exporting={noteAppealExport} />
    </>
  )
}

function appealCells(
  words: Translate,
  pathOf: (removalId: string) => string,
  title: ReturnType<typeof usePostTitle>,
): CellsOf<typeof appealList> {
  return {
    appeal: { time: ({ appeal }) => appeal.at },
    thing: {
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
    author: { show: ({ author }) => <MemberLink of={author} />, text: ({ author }) => author.name },
    removedBy: {
      show: ({ removedBy, removedByMember }) => (removedByMember ? <MemberLink of={removedByMember} /> : removedBy),
      text: ({ removedBy, removedByMember }) => removedByMember?.name ?? removedBy,
    },
    outcome: {
      show: ({ appeal, mayDecide }) => words(appeal.outcome ?? (mayDecide ? 'pending' : 'forAnother')),
      text: ({ appeal }) => appeal.outcome,
    },
    claim: { show: ({ claim }) => <ClaimMark claim={claim} />, text: ({ claim }) => claim?.account },
  }
}
