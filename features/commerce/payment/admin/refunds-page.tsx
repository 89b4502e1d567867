import { useLoaderData } from 'react-router'
import { StaffList } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { useRefundCells } from '#payment/admin/refund-columns.tsx'
import { RefundRequests } from '#payment/admin/refund-requests.tsx'
import { Totals, ZoneNote } from '#payment/admin/payment.tsx'
import type { RefundRequestView } from '#payment/refund-contract.ts'
import { noteRefundExport, refundList, type refundTotals } from '#payment/staff-contract.ts'

type Refunds = { page: Output<typeof refundList>; totals: Output<typeof refundTotals>; requests: readonly RefundRequestView[] }

export function Page() {
  const words = useWords('paymentAdmin')
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
      <StaffList
        of={refundList}
        page={page}
        cells={useRefundCells()}
        people={page.rows.map(({ member }) => member)}
        exporting={noteRefundExport}
      >
        {count > 0 && <Totals count={count} of={sums} />}
      </StaffList>
    </>
  )
}
