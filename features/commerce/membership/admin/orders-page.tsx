import { useLoaderData, useSearchParams } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import { PersonLink, StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { priceText, Price, timeText } from '#membership/admin/price.tsx'
import { SiteClock } from '#membership/admin/site-clock.tsx'
import {
  membershipOrders,
  noteOrderExport,
  type membershipChoices,
  type membershipOrderTotals,
  type StaffOrderView,
} from '#membership/order-contract.ts'
import css from '#membership/admin/orders.module.css'

type Language = 'zh' | 'en'

export type Orders = {
  page: Output<typeof membershipOrders>
  totals: Output<typeof membershipOrderTotals>
  choices: Output<typeof membershipChoices>
}

export function Page() {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { page, totals, choices } = useLoaderData<Orders>()
  return (
    <SiteClock>
      <h1>{words('orders')}</h1>
      <StaffList
        of={membershipOrders}
        page={page}
        cells={orderCells(words, language)}
        filterFields={useCardFields(choices)}
        people={page.rows.flatMap(({ buyer, holder }) => [buyer, holder])}
        exporting={noteOrderExport}
      >
        {totals.count > 0 && <Totals totals={totals} />}
      </StaffList>
    </SiteClock>
  )
}

/** Totals over all results of the filter, not only this page. */
function Totals({ totals: { count, paid, refunds, refunded } }: Pick<Orders, 'totals'>) {
  const words = useWords('membershipAdmin')
  return (
    <dl className={facts.totals}>
      <div>
        <dt>{words('orderCount')}</dt>
        <dd>{words('count', { count })}</dd>
      </div>
      <div>
        <dt>{words('orderPaid')}</dt>
        <dd>
          <Price of={paid} />
        </dd>
      </div>
      <div>
        <dt>{words('orderRefunds')}</dt>
        <dd>
          {words('count', { count: refunds })}
          {refunds > 0 && (
            <>
              {' · '}
              <Price of={refunded} />
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** The filter of options, for one card at a time. */
function useCardFields({ cards }: Orders['choices']) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const [query] = useSearchParams()
  const card = cards.find(({ id }) => id === query.get('card'))
  const named = ({ id, name }: { id: string; name: Record<Language, string> }) => [id, name[language]] as const
  const options = card?.specifications.map(named)
  return {
    card: <FilterChoice name="card" label={words('orderCard')} options={cards.map(named)} />,
    specification: !!options && <FilterChoice name="specification" label={words('orderSpecification')} options={options} />,
  }
}

export function orderCells(words: Translate, language: Language): CellsOf<typeof membershipOrders> {
  return {
    number: {
      show: ({ id, number }) => (
        <Link to={`/admin/membershipOrder/view?orderId=${id}`} className={css.number}>
          {number}
        </Link>
      ),
    },
    card: { text: (row) => cardText(row, words, language) },
    holder: { show: ({ holder, isGift }) => (isGift ? <PersonLink of={holder} /> : '') },
    paid: { text: ({ paid }) => priceText(paid, words, language) },
    state: { show: (row) => <State of={row} /> },
    refund: { text: ({ refund }) => refund && priceText(refund, words, language) },
  }
}

export function cardText({ card, specification, quantity, duration, unit }: StaffOrderView, words: Translate, language: Language): string {
  const time = timeText(duration * quantity, unit, words)
  return words('orderBought', { card: card[language], specification: specification[language], quantity, time })
}

export function State({ of: { state, refund } }: { of: Pick<StaffOrderView, 'state' | 'refund'> }) {
  const words = useWords('membershipAdmin')
  return <span className={state === 'refunded' ? 'mark' : undefined}>{words(refund?.isUpgrade ? 'orderUpgraded' : `order${state}`)}</span>
}
