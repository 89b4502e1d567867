import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { messageReportList } from '#message/staff-contract.ts'

export function Page() {
  const words = useWords('messageAdmin')
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">{words('what')}</p>
      <StaffList of={messageReportList} page={useLoaderData<Output<typeof messageReportList>>()} cells={cellsIn(words)} />
    </>
  )
}

function cellsIn(words: Translate): CellsOf<typeof messageReportList> {
  return {
    author: { text: ({ author }) => author.name },
    reporter: { text: ({ reporter }) => reporter.name },
    reason: {
      show: ({ id, reason }) => (
        <Link to={`/admin/messageReport/view?reportId=${id}`} data-line>
          {reason}
        </Link>
      ),
    },
    state: {
      show: ({ outcome, decidedBy }) => (outcome ? `${words(outcome)} · ${decidedBy}` : words('open')),
      text: ({ outcome }) => outcome,
    },
  }
}
