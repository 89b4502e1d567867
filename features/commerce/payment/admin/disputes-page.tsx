import { useLoaderData } from 'react-router'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { useWords, type Translate } from '#base/web/words.tsx'
import { PaymentLink, State, TransactionLink, ZoneNote } from '#payment/admin/payment.tsx'
import { disputeList, type DisputeView } from '#payment/staff-contract.ts'
import { disputeReasons, disputeStatuses } from '#payment/staff-views.ts'

const tones = { open: 'bad', won: 'good', lost: undefined } as const

export function DisputeState({ of }: { of: DisputeView['state'] }) {
  const words = useWords('paymentAdmin')
  return <State word={words(`dispute${of}`)} tone={tones[of]} />
}

export function Page() {
  const words = useWords('paymentAdmin')
  const page = useLoaderData<Output<typeof disputeList>>()
  return (
    <>
      <h1>{words('disputes')}</h1>
      <p className="meta">{words('disputesWhat')}</p>
      <StaffList of={disputeList} page={page} cells={disputeCells(words)} people={page.rows.map(({ member }) => member)} />
      <ZoneNote />
    </>
  )
}

function disputeCells(words: Translate): CellsOf<typeof disputeList> {
  return {
    paymentNumber: { show: ({ paymentNumber }) => <PaymentLink number={paymentNumber} /> },
    reason: { text: ({ reason }) => disputeReason(reason, words) },
    respondBy: { show: ({ state, respondBy }) => state === 'open' && respondBy && <ExactTime at={respondBy} /> },
    state: { show: ({ state }) => <DisputeState of={state} /> },
    providerNumber: { show: (row) => <DisputeNumber of={row} /> },
    transactionId: { show: ({ transactionId }) => <TransactionLink id={transactionId} /> },
  }
}

/** A reason that the provider gives as one of its own words. One that nobody knows yet stays as it was said. */
export function disputeReason(reason: string, words: Translate): string {
  return isOneOf(disputeReasons, reason) ? words(`disputedAs${reason.replaceAll('_', '')}`) : reason
}

/** The provider's status of a dispute; one that nobody knows yet stays as it was said. */
export function disputeStatus(status: string, words: Translate): string {
  return isOneOf(disputeStatuses, status) ? words(`disputeStatus${status.replaceAll('_', '')}`) : status
}

function isOneOf<T extends string>(known: readonly T[], said: string): said is T {
  return (known as readonly string[]).includes(said)
}

/** The provider's number, which leads to its page. */
function DisputeNumber({ of: { providerNumber, link } }: { of: DisputeView }) {
  if (link === null) return providerNumber
  return (
    <a href={link} rel="noopener noreferrer" target="_blank">
      {providerNumber}
    </a>
  )
}
