import { useLoaderData } from 'react-router'
import { answerReportList } from '#assistant/report-contract.ts'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'

type Data = Output<typeof answerReportList>
type Report = Data['rows'][number]

/** Answers that members reported. */
export function Page() {
  const words = useWords('assistantAdmin')
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('reports')}</h1>
      <p className="meta">{words('reportsWhat')}</p>
      <List
        of={answerReportList}
        page={page}
        columns={columnsIn(words)}
        called={({ reason }) => words(`reason${reason}`)}
        filters={
          <Filters>
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('open')}
              options={[
                ['handled', words('handled')],
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
    { name: 'reported', label: words('reportedAt'), time: ({ reportedAt }) => reportedAt },
    { name: 'reporter', label: words('reporter'), show: ({ member }) => <bdi>{member.name}</bdi>, text: ({ member }) => member.name },
    {
      name: 'reason',
      label: words('reason'),
      show: ({ id, reason }) => (
        <Link to={`/admin/assistant/report/view?reportId=${id}`} data-line>
          {words(`reason${reason}`)}
        </Link>
      ),
      text: ({ reason }) => words(`reason${reason}`),
    },
    { name: 'note', label: words('note'), text: ({ note }) => note },
    {
      name: 'state',
      label: words('state'),
      show: ({ handledBy }) => (handledBy ? `${words('handled')} · ${handledBy}` : words('open')),
      text: ({ handledBy }) => words(handledBy ? 'handled' : 'open'),
    },
  ]
}
