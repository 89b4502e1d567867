import { useLoaderData } from 'react-router'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { channels, states, templateNames } from '#delivery/contract.ts'
import { deliveryList } from '#delivery/log-contract.ts'

type Data = Output<typeof deliveryList>
type Row = Data['rows'][number]

export function Page() {
  const words = useWords('deliveryAdmin')
  const page = useLoaderData<Data>()
  usePolling(page.rows.some(({ state, tries }) => state === 'waiting' && tries === 0))
  return (
    <>
      <p className="meta">
        <Link to="/admin/delivery">{words('sending')}</Link>
      </p>
      <h1>{words('log')}</h1>
      <p className="meta">{words('logWhat')}</p>
      <List
        of={deliveryList}
        page={page}
        columns={columnsIn(words)}
        filters={
          <Filters>
            <FilterChoice
              name="channel"
              label={words('channel')}
              any={words('any')}
              options={channels.map((channel) => [channel, words(`${channel}Channel`)])}
            />
            <FilterChoice
              name="template"
              label={words('template')}
              any={words('any')}
              options={templateNames.map((name) => [name, words(`${name}Template`)])}
            />
            <FilterChoice name="state" label={words('state')} any={words('any')} options={states.map((state) => [state, words(state)])} />
            <FilterText name="to" label={words('toWhom')} />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate): Column<Row>[] {
  return [
    { name: 'at', label: words('at'), time: ({ at }) => at },
    { name: 'to', label: words('to'), text: ({ to }) => to },
    { name: 'channel', label: words('channel'), text: ({ channel }) => words(`${channel}Channel`) },
    { name: 'template', label: words('template'), text: (row) => nameOf(row, words) },
    { name: 'state', label: words('state'), text: (row) => words(row.state) },
    { name: 'error', label: words('error'), text: ({ error }) => error },
    { name: 'tries', label: words('tries'), text: ({ tries }) => String(tries), isExtra: true },
    { name: 'by', label: words('by'), text: ({ by }) => by, isExtra: true },
  ]
}

function nameOf({ template, isTest }: Row, words: Translate): string {
  const known = templateNames.find((one) => one === template)
  const name = known ? words(`${known}Template`) : template
  return isTest && known !== 'test' ? words('asTest', { name }) : name
}
