import { useLoaderData } from 'react-router'
import { usePolling } from '#base/admin/polling.ts'
import { StaffList } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { templateNames } from '#delivery/contract.ts'
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
      <StaffList of={deliveryList} page={page} cells={{ template: { text: (row) => nameOf(row, words) } }} />
    </>
  )
}

function nameOf({ template, isTest }: Row, words: Translate): string {
  const known = templateNames.find((one) => one === template)
  const name = known ? words(`${known}Template`) : template
  return isTest && known !== 'test' ? words('asTest', { name }) : name
}
