import { useLoaderData } from 'react-router'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { useRefundColumns } from '#payment/admin/refund-columns.tsx'
import { RefundRequests } from '#payment/admin/refund-requests.tsx'
import { byNumber, ProviderFilter, Totals, ZoneNote } from '#payment/admin/payment.tsx'
import type { RefundRequestView } from '#payment/refund-contract.ts'
import { noteRefundExport, refundList, type refundTotals } from '#payment/staff-contract.ts'
import { refundStates } from '#payment/staff-views.ts'

type Refunds = { page: Output<typeof refundList>; totals: Output<typeof refundTotals>; requests: readonly RefundRequestView[] }

export function Page() {
  const words = useWords('paymentAdmin')
  const columns = useRefundColumns()
  const { page, totals, requests } = useLoaderData<Refunds>()
  const { count, asked, done, failed } = totals
  const sums = [
    [words('refunddone'), done],
    [words('refundasked'), asked],
    [words('refundfailed'), failed],
  ] as const
  return (
    <>
      <h1>{words('refunds')}</h1>
      <ZoneNote />
      <RefundRequests rows={requests} />
      {requests.length > 0 && <h2>{words('refundsMade')}</h2>}
      <List
        of={refundList}
        exporting={noteRefundExport}
        page={byNumber(page)}
        columns={columns}
        filters={
          <>
            <RefundFilters page={page} />
            {count > 0 && <Totals count={count} of={sums} />}
          </>
        }
      />
    </>
  )
}

function RefundFilters({ page }: Pick<Refunds, 'page'>) {
  const words = useWords('paymentAdmin')
  return (
    <Filters>
      <FilterText name="number" label={words('refundNumber')} />
      <FilterPerson name="member" label={words('member')} members={page.rows.map(({ member }) => member)} />
      <ProviderFilter />
      <FilterChoice
        name="state"
        label={words('state')}
        any={words('anyState')}
        options={refundStates.map((state) => [state, words(`refund${state}`)])}
      />
      <FilterDay name="from" label={words('from')} />
      <FilterDay name="until" label={words('until')} />
    </Filters>
  )
}
