import { useLoaderData, useSearchParams } from 'react-router'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { priceText, Price, timeText } from '#membership/admin/price.tsx'
import { SiteClock } from '#membership/admin/site-clock.tsx'
import {
  membershipOrders,
  noteOrderExport,
  orderStates,
  type membershipChoices,
  type membershipOrderTotals,
  type StaffOrderView,
} from '#membership/order-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
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
      <List
        of={membershipOrders}
        exporting={noteOrderExport}
        page={page}
        columns={columnsIn(words, language)}
        filters={
          <>
            <OrderFilters page={page} choices={choices} />
            {totals.count > 0 && <Totals totals={totals} />}
          </>
        }
      />
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

function OrderFilters({ page, choices: { cards } }: Pick<Orders, 'page' | 'choices'>) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const [query] = useSearchParams()
  const card = cards.find(({ id }) => id === query.get('card'))
  const named = ({ id, name }: { id: string; name: Record<Language, string> }) => [id, name[language]] as const
  return (
    <Filters>
      <FilterChoice name="card" label={words('orderCard')} any={words('orderAnyCard')} options={cards.map(named)} />
      {card && (
        <FilterChoice
          name="specification"
          label={words('orderSpecification')}
          any={words('orderAnySpecification')}
          options={card.specifications.map(named)}
        />
      )}
      <FilterPerson name="member" label={words('orderMember')} members={page.rows.flatMap(({ buyer, holder }) => [buyer, holder])} />
      <FilterText name="number" label={words('orderNumber')} />
      <FilterDay name="from" label={words('orderFrom')} />
      <FilterDay name="until" label={words('orderUntil')} />
      <FilterChoice
        name="state"
        label={words('orderState')}
        any={words('orderAnyState')}
        options={orderStates.map((state) => [state, words(`order${state}`)])}
      />
      <FilterChoice name="gift" label={words('orderGift')} any={words('orderAll')} options={[['yes', words('orderGifts')]]} />
      <FilterChoice name="coupon" label={words('orderCoupon')} any={words('orderAll')} options={[['yes', words('orderWithCoupon')]]} />
    </Filters>
  )
}

export function columnsIn(words: Translate, language: Language): Column<StaffOrderView>[] {
  return [
    {
      name: 'number',
      label: words('orderNumber'),
      show: ({ id, number }) => (
        <Link to={`/admin/membershipOrder/view?orderId=${id}`} className={css.number}>
          {number}
        </Link>
      ),
      text: ({ number }) => number,
    },
    { name: 'at', label: words('orderAt'), time: ({ at }) => at },
    { name: 'card', label: words('orderCard'), text: (row) => cardText(row, words, language) },
    { name: 'buyer', label: words('orderBuyer'), show: ({ buyer }) => <Person of={buyer} />, text: ({ buyer }) => buyer.name },
    {
      name: 'holder',
      label: words('orderHolder'),
      show: ({ holder, isGift }) => (isGift ? <Person of={holder} /> : ''),
      text: ({ holder }) => holder.name,
    },
    {
      name: 'paid',
      label: words('orderPaid'),
      show: ({ paid }) => <Price of={paid} />,
      text: ({ paid }) => priceText(paid, words, language),
    },
    {
      name: 'state',
      label: words('orderState'),
      show: (row) => <State of={row} />,
      text: ({ state }) => words(`order${state}`),
    },
    { name: 'ends', label: words('orderEnds'), time: ({ endsAt }) => endsAt },
    ...extrasIn(words, language),
  ]
}

function extrasIn(words: Translate, language: Language): Column<StaffOrderView>[] {
  return [
    { name: 'starts', label: words('orderStarts'), time: ({ startsAt }) => startsAt, isExtra: true },
    { name: 'coupon', label: words('orderCoupon'), text: ({ coupon }) => coupon, isExtra: true },
    {
      name: 'refund',
      label: words('orderRefunded'),
      show: ({ refund }) => refund && <Price of={refund} />,
      text: ({ refund }) => (refund ? priceText(refund, words, language) : ''),
      isExtra: true,
    },
  ]
}

export function cardText({ card, specification, quantity, duration, unit }: StaffOrderView, words: Translate, language: Language): string {
  const time = timeText(duration * quantity, unit, words)
  return words('orderBought', { card: card[language], specification: specification[language], quantity, time })
}

export function Person({ of: { id, name } }: { of: StaffOrderView['buyer'] }) {
  return mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${id}`}>{name}</Link> : name
}

export function State({ of: { state, refund } }: { of: Pick<StaffOrderView, 'state' | 'refund'> }) {
  const words = useWords('membershipAdmin')
  return <span className={state === 'refunded' ? 'mark' : undefined}>{words(refund?.isUpgrade ? 'orderUpgraded' : `order${state}`)}</span>
}
