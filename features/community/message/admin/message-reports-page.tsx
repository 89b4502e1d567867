import { useLoaderData } from 'react-router'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { messageReportList } from '#message/staff-contract.ts'

type Data = Output<typeof messageReportList>
type Report = Data['rows'][number]

export function Page() {
  const words = useWords('messageAdmin')
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">{words('what')}</p>
      <List
        of={messageReportList}
        page={page}
        columns={columnsIn(words)}
        called={({ reason }) => reason}
        filters={
          <Filters>
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('open')}
              options={[
                ['decided', words('decided')],
                ['all', words('all')],
              ]}
            />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate): Column<Report>[] {
  return [
    { name: 'reported', label: words('reported'), time: ({ reportedAt }) => reportedAt },
    { name: 'author', label: words('author'), text: ({ author }) => author.name },
    { name: 'reporter', label: words('reporter'), text: ({ reporter }) => reporter.name },
    {
      name: 'reason',
      label: words('reason'),
      show: ({ id, reason }) => (
        <Link to={`/admin/messageReport/view?reportId=${id}`} data-line>
          {reason}
        </Link>
      ),
      text: ({ reason }) => reason,
    },
    {
      name: 'state',
      label: words('state'),
      show: ({ outcome, decidedBy }) => (outcome ? `${words(outcome)} · ${decidedBy}` : words('open')),
      text: ({ outcome }) => outcome,
    },
  ]
}
