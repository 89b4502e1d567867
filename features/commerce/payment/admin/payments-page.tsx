import { useLoaderData } from 'react-router'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePaymentColumns } from '#payment/admin/payment-columns.tsx'
import { byNumber, ProviderFilter, Totals, ZoneNote } from '#payment/admin/payment.tsx'
import { notePaymentExport, paymentList, paymentStates, type paymentTotals } from '#payment/staff-contract.ts'

export type Payments = { page: Output<typeof paymentList>; totals: Output<typeof paymentTotals> }

export function Page() {
  const words = useWords('paymentAdmin')
  const columns = usePaymentColumns()
  const { page, totals, ofSandbox } = useLoaderData<Payments & { /** Members with money of the sandbox. */ ofSandbox: number }>()
  return (
    <>
      <h1>{words('payments')}</h1>
      <SandboxNote count={ofSandbox} />
      <ZoneNote />
      <List
        of={paymentList}
        exporting={notePaymentExport}
        page={byNumber(page)}
        columns={columns}
        filters={
          <>
            <PaymentFilters page={page} />
            {totals.count > 0 && <PaymentTotals totals={totals} />}
          </>
        }
      />
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

function PaymentFilters({ page }: Pick<Payments, 'page'>) {
  const words = useWords('paymentAdmin')
  return (
    <Filters>
      <FilterText name="number" label={words('number')} />
      <FilterText name="providerNumber" label={words('providerNumber')} />
      <FilterPerson name="member" label={words('member')} members={page.rows.map(({ member }) => member)} />
      <ProviderFilter />
      <FilterChoice
        name="state"
        label={words('state')}
        any={words('anyState')}
        options={paymentStates.map((state) => [state, words(`state${state}`)])}
      />
      <FilterDay name="from" label={words('from')} />
      <FilterDay name="until" label={words('until')} />
    </Filters>
  )
}
