import { useLoaderData } from 'react-router'
import { FilterCombobox } from '#base/admin/filters.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { countries, provinces } from '#base/region-name.ts'
import { useRegion } from '#base/web/region.ts'
import { useWords } from '#base/web/words.tsx'
import { notePageViewExport, pageViewList } from '#statistic/contract.ts'
import css from '#statistic/admin/dashboard.module.css'

const cells: CellsOf<typeof pageViewList> = {
  url: { show: ({ url }) => <span className={css.long}>{url}</span> },
  referrer: { show: ({ referrer }) => <span className={css.long}>{referrer}</span> },
}

export function Page() {
  const words = useWords('statisticAdmin')
  const page = useLoaderData<Output<typeof pageViewList>>()
  return (
    <>
      <h1>{words('pageViews')}</h1>
      <p className="meta">{words('pageViewsWhat')}</p>
      <StaffList of={pageViewList} exporting={notePageViewExport} page={page} cells={cells} filterFields={{ region: <RegionFilter /> }} />
    </>
  )
}

/** A country or a province, searched by name. */
function RegionFilter() {
  const words = useWords('region')
  const admin = useWords('admin')
  const say = useRegion()
  const known = (id: string) => (id ? { id, name: say(id) } : undefined)
  function find(typed: string) {
    const codes = ['CN', ...Object.keys(provinces).map((code) => `CN-${code}`), ...countries().filter((code) => code !== 'CN'), 'local']
    const keyword = typed.trim().toLowerCase()
    return codes
      .map((id) => ({ id, name: say(id) }))
      .filter(({ id, name }) => name.toLowerCase().includes(keyword) || id.toLowerCase() === keyword)
  }
  return <FilterCombobox name="region" label={words('region')} placeholder={admin('any')} find={find} known={known} />
}
