import { useLoaderData } from 'react-router'
import { answerReportList } from '#assistant/report-contract.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'

/** Answers that members reported. */
export function Page() {
  const words = useWords('assistantAdmin')
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">{words('reportsWhat')}</p>
      <StaffList of={answerReportList} page={useLoaderData<Output<typeof answerReportList>>()} cells={cellsIn(words)} />
    </>
  )
}

function cellsIn(words: Translate): CellsOf<typeof answerReportList> {
  return {
    member: { show: ({ member }) => <bdi>{member.name}</bdi>, text: ({ member }) => member.name },
    reason: {
      show: ({ id, reason }) => (
        <Link to={`/admin/assistant/report/view?reportId=${id}`} data-line>
          {words(`reason${reason}`)}
        </Link>
      ),
    },
    state: {
      show: ({ handledBy }) => (handledBy ? `${words('handled')} · ${handledBy}` : words('open')),
      text: ({ handledBy }) => words(handledBy ? 'handled' : 'open'),
    },
  }
}
