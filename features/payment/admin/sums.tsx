import type { ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { Yuan } from '#payment/admin/said.tsx'
import type { paymentMonth } from '#payment/reconcile-contract.ts'

type Sum = Output<typeof paymentMonth>['total']

/** What came in, what went, and what is left of it. */
export function SumsHead({ first, children }: { first: string; children?: ReactNode }) {
  const words = useWords('paymentAdmin')
  return (
    <thead>
      <tr>
        <th>{first}</th>
        <th>{words('payments')}</th>
        <th>{words('paid')}</th>
        <th>{words('refunded')}</th>
        <th>{words('disputed')}</th>
        <th>{words('fees')}</th>
        <th>{words('net')}</th>
        {children}
      </tr>
    </thead>
  )
}

export function Sums({ first, of, isTotal, children }: { first: ReactNode; of: Sum; isTotal?: boolean; children?: ReactNode }) {
  const words = useWords('paymentAdmin')
  const { payments, paid, refunded, disputed, fees, net } = of
  return (
    <tr>
      <th scope="row">{first}</th>
      <td>{words('count', { count: payments })}</td>
      {[paid, refunded, disputed, fees].map((yuan, place) => (
        <td key={place}>
          <Yuan of={yuan} />
        </td>
      ))}
      <td>
        {isTotal ? (
          <strong>
            <Yuan of={net} />
          </strong>
        ) : (
          <Yuan of={net} />
        )}
      </td>
      {children}
    </tr>
  )
}
