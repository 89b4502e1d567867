import { useLoaderData } from 'react-router'
import { FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Time } from '#base/web/time.tsx'
import { useWords, type Say } from '#base/web/words.tsx'
import { pageViewList } from '#statistic/contract.ts'
import css from '#statistic/admin/dashboard.module.css'

type Data = Output<typeof pageViewList>
type View = Data['rows'][number]

export function Page() {
  const words = useWords('statisticAdmin')
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('pageViews')}</h1>
      <p className="meta">{words('pageViewsWhat')}</p>
      <List
        of={pageViewList}
        page={page}
        columns={columnsIn(words)}
        filters={
          <Filters>
            <FilterText name="url" label={words('address')} />
            <FilterText name="ip" label={words('ip')} />
            <FilterDay name="since" label={words('since')} edge="start" />
            <FilterDay name="until" label={words('until')} edge="end" />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Say): Column<View>[] {
  return [
    { name: 'at', label: words('at'), show: ({ at }) => <Time at={at} />, text: ({ at }) => at },
    { name: 'url', label: words('address'), show: ({ url }) => <span className={css.long}>{url}</span>, text: ({ url }) => url },
    {
      name: 'referrer',
      label: words('referrer'),
      show: ({ referrer }) => <span className={css.long}>{referrer}</span>,
      text: ({ referrer }) => referrer ?? '',
    },
    { name: 'device', label: words('device'), show: ({ device }) => device, text: ({ device }) => device ?? '' },
    { name: 'ip', label: words('ip'), show: ({ ip }) => ip, text: ({ ip }) => ip ?? '' },
  ]
}
