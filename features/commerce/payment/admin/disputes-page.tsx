import { useLoaderData } from 'react-router'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { useWords, type Translate } from '#base/web/words.tsx'
import { At, PaymentLink, Person, ProviderFilter, State, TransactionLink, useFileTime, Yuan, ZoneNote } from '#payment/admin/payment.tsx'
import { disputeList } from '#payment/staff-contract.ts'
import { disputeReasons, disputeStates, disputeStatuses, type DisputeView } from '#payment/staff-views.ts'

const tones = { open: 'bad', won: 'good', lost: undefined } as const

export function DisputeState({ of }: { of: DisputeView['state'] }) {
  const words = useWords('paymentAdmin')
  return <State word={words(`dispute${of}`)} tone={tones[of]} />
}

export function Page() {
  const words = useWords('paymentAdmin')
  const columns = useDisputeColumns()
  const page = useLoaderData<Output<typeof disputeList>>()
  return (
    <>
      <h1>{words('disputes')}</h1>
      <p className="meta">{words('disputesWhat')}</p>
      <List
        of={disputeList}
        page={page}
        columns={columns}
        filters={
          <Filters>
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('anyState')}
              options={disputeStates.map((state) => [state, words(`dispute${state}`)])}
            />
            <ProviderFilter />
            <FilterPerson name="member" label={words('member')} members={page.rows.map(({ member }) => member)} />
          </Filters>
        }
      />
      <ZoneNote />
    </>
  )
}

export function useDisputeColumns(): Column<DisputeView>[] {
  const words = useWords('paymentAdmin')
  const time = useFileTime()
  return [
    { name: 'opened', label: words('openedAt'), show: ({ openedAt }) => <At at={openedAt} />, text: ({ openedAt }) => time(openedAt) },
    {
      name: 'payment',
      label: words('payment'),
      show: ({ paymentNumber }) => <PaymentLink number={paymentNumber} />,
      text: ({ paymentNumber }) => paymentNumber,
    },
    { name: 'member', label: words('member'), show: ({ member }) => <Person of={member} />, text: ({ member }) => member.name },
    { name: 'provider', label: words('provider'), text: ({ provider }) => words(`provider${provider}`) },
    { name: 'amount', label: words('amount'), show: ({ amount }) => <Yuan of={amount} />, text: ({ amount }) => amount },
    { name: 'reason', label: words('disputeReason'), text: ({ reason }) => disputeReason(reason, words) },
    {
      name: 'respondBy',
      label: words('respondBy'),
      show: ({ state, respondBy }) => state === 'open' && respondBy && <At at={respondBy} />,
      text: ({ respondBy }) => time(respondBy),
    },
    {
      name: 'state',
      label: words('state'),
      show: ({ state }) => <DisputeState of={state} />,
      text: ({ state }) => words(`dispute${state}`),
    },
    {
      name: 'ended',
      label: words('endedAt'),
      show: ({ endedAt }) => endedAt && <At at={endedAt} />,
      text: ({ endedAt }) => time(endedAt),
    },
    {
      name: 'number',
      label: words('disputeNumber'),
      show: (row) => <DisputeNumber of={row} />,
      text: ({ providerNumber }) => providerNumber,
    },
    {
      name: 'transaction',
      label: words('transaction'),
      show: ({ transactionId }) => <TransactionLink id={transactionId} />,
      text: ({ transactionId }) => transactionId,
      isExtra: true,
    },
  ]
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
