import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { List } from '#base/admin/list.tsx'
import { useDeclaredColumns } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePaymentCells } from '#payment/admin/payment-columns.tsx'
import { PaymentTotals, type Payments } from '#payment/admin/payments-page.tsx'
import { PaymentDisputes, PaymentRefunds } from '#payment/admin/payment-history.tsx'
import { ZoneNote } from '#payment/admin/payment.tsx'
import { paymentList, type disputeList, type refundList } from '#payment/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type MemberPayments = Payments & { memberId: string; refunds: Output<typeof refundList>; disputes: Output<typeof disputeList> }

export function Page() {
  const words = useWords('paymentAdmin')
  const columns = useDeclaredColumns(paymentList, usePaymentCells())
  const { memberId, page, totals, refunds, disputes } = useLoaderData<MemberPayments>()
  const name = page.rows[0]?.member.name
  return (
    <>
      <Head title={name ? words('paymentsOf', { name }) : words('payments')} />
      <p>
        {mayDo('member.view') && <Link to={`/admin/member/view?memberId=${memberId}`}>{words('toMember')}</Link>}{' '}
        {mayDo('wallet.view') && <Link to={`/admin/wallet/member?memberId=${memberId}&currency=cny`}>{words('toBalance')}</Link>}
      </p>
      {totals.count > 0 && <PaymentTotals totals={totals} />}
      <List of={paymentList} page={page} columns={columns.filter((column) => column.name !== 'member')} />
      <PaymentRefunds refunds={refunds.rows} />
      {refunds.next && <Link to={`/admin/payment/refund?member=${memberId}`}>{words('allRefunds')}</Link>}
      <PaymentDisputes disputes={disputes.rows} />
      {disputes.next && <Link to={`/admin/payment/dispute?member=${memberId}`}>{words('allDisputes')}</Link>}
      <ZoneNote />
    </>
  )
}
