import { useLoaderData } from 'react-router'
import { FilterChoice, FilterDay, FilterCombobox, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import { useRegionColumn } from '#base/admin/region-column.ts'
import type { Output } from '#base/contract.ts'
import { deviceKinds } from '#base/device-name.ts'
import { countries, provinces } from '#base/region-name.ts'
import { useRegion } from '#base/web/region.ts'
import { useWords, type Translate } from '#base/web/words.tsx'
import { notePageViewExport, pageViewList } from '#statistic/contract.ts'
import css from '#statistic/admin/dashboard.module.css'

type Data = Output<typeof pageViewList>
type View = Data['rows'][number]

export function Page() {
  const words = useWords('statisticAdmin')
  const region = useRegionColumn<View>((view) => view.region)
  const page = useLoaderData<Data>()
  return (
    <>
      <h1>{words('pageViews')}</h1>
      <p className="meta">{words('pageViewsWhat')}</p>
      <List
        of={pageViewList}
        exporting={notePageViewExport}
        page={page}
        columns={columnsIn(words, region)}
        filters={
          <Filters>
            <FilterText name="url" label={words('address')} />
            <FilterText name="ip" label={words('ip')} />
            <RegionFilter />
            <FilterChoice
              name="device"
              label={words('device')}
              any={words('anyDevice')}
              options={deviceKinds.map((kind) => [kind, words(kind)])}
            />
            <FilterDay name="since" label={words('since')} edge="start" />
            <FilterDay name="until" label={words('until')} edge="end" />
          </Filters>
        }
      />
    </>
  )
}

/** A country or a province, searched by name. */
function RegionFilter() {
  const words = useWords('statisticAdmin')
  const called = useWords('region')
  const say = useRegion()
  const known = (id: string) => (id ? { id, name: say(id) } : undefined)
  function find(typed: string) {
    const codes = ['CN', ...Object.keys(provinces).map((code) => `CN-${code}`), ...countries().filter((code) => code !== 'CN'), 'local']
    const keyword = typed.trim().toLowerCase()
    return codes
      .map((id) => ({ id, name: say(id) }))
      .filter(({ id, name }) => name.toLowerCase().includes(keyword) || id.toLowerCase() === keyword)
  }
  return <FilterCombobox name="region" label={called('region')} placeholder={words('anyRegion')} find={find} known={known} />
}

function columnsIn(words: Translate, region: Column<View>): Column<View>[] {
  const device = (view: View) => (view.device ? words(view.device) : '')
  return [
    { name: 'at', label: words('at'), time: ({ at }) => at },
    { name: 'url', label: words('address'), show: ({ url }) => <span className={css.long}>{url}</span>, text: ({ url }) => url },
    {
      name: 'referrer',
      label: words('referrer'),
      show: ({ referrer }) => <span className={css.long}>{referrer}</span>,
      text: ({ referrer }) => referrer,
    },
    { name: 'device', label: words('device'), text: device },
    { name: 'browser', label: words('browserAndSystem'), text: ({ browser }) => browser },
    { name: 'ip', label: words('ip'), text: ({ ip }) => ip },
    { ...region, isExtra: false },
  ]
}
