import { useLoaderData } from 'react-router'
import { StaffList } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePaymentCells } from '#payment/admin/payment-columns.tsx'
import { Totals, ZoneNote } from '#payment/admin/payment.tsx'
import { notePaymentExport, paymentList, type paymentTotals } from '#payment/staff-contract.ts'

export type Payments = { page: Output<typeof paymentList>; totals: Output<typeof paymentTotals> }

export function Page() {
  const words = useWords('paymentAdmin')
  const { page, totals, ofSandbox } = useLoaderData<Payments & { /** Members with money of the sandbox. */ ofSandbox: number }>()
  return (
    <>
      <h1>{words('payments')}</h1>
      <SandboxNote count={ofSandbox} />
      <ZoneNote />
      <StaffList
        of={paymentList}
        page={page}
        cells={usePaymentCells()}
        people={page.rows.map(({ member }) => member)}
        exporting={notePaymentExport}
      >
        {totals.count > 0 && <PaymentTotals totals={totals} />}
      </StaffList>
    </>
  )
}

function SandboxNote({ count }: { count: number }) {
  const words = useWords('paymentAdmin')
  if (count === 0) return null
  return (
    <p className="note">
      {words('sandboxMoneyLeft', { count })} <Link to="/admin/payment/sandbox">{words('toSandboxMoney')}</Link>
    </p>
  )
}

export function PaymentTotals({ totals: { count, paid, refunded, disputed } }: Pick<Payments, 'totals'>) {
  const words = useWords('paymentAdmin')
  return (
    <Totals
      count={count}
      of={[
        [words('paid'), paid],
        [words('refunded'), refunded],
        [words('disputed'), disputed],
      ]}
    />
  )
}
