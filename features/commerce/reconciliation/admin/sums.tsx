import type { ReactNode } from 'react'
import { Yuan } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { paymentMonth } from '#reconciliation/contract.ts'

type Sum = Output<typeof paymentMonth>['total']

const sums = ['paid', 'refunded', 'disputed', 'fees'] as const

export function SumsHead({ first, hasRate = false }: { first: string; hasRate?: boolean }) {
  const words = useWords('reconciliationAdmin')
  return (
    <thead>
      <tr>
        <th>{first}</th>
        <th>{words('payments')}</th>
        {sums.map((name) => (
          <th key={name}>{words(name)}</th>
        ))}
        {hasRate && <th>{words('conversion')}</th>}
        <th>{words('net')}</th>
      </tr>
    </thead>
  )
}

type SumsProps = { first: ReactNode; of: Sum; /** The share of begun payments that are paid. */ rate?: string }

export function Sums({ first, of, rate }: SumsProps) {
  const words = useWords('reconciliationAdmin')
  return (
    <tr>
      <td>{first}</td>
      <td data-label={words('payments')}>{words('count', { count: of.payments })}</td>
      {sums.map((name) => (
        <td key={name} data-label={words(name)}>
          <Yuan of={of[name]} />
        </td>
      ))}
      {rate !== undefined && <td data-label={words('conversion')}>{rate}</td>}
      <td>
        <strong>
          <Yuan of={of.net} />
        </strong>
      </td>
    </tr>
  )
}
