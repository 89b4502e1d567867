import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time, useDay } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { membershipCardOrderList, OrderView } from '#membership/contract.ts'
import { usePrice } from '#membership/web/price.ts'
import { useSite } from '#setting/web/setting.tsx'
import { Name } from '#user/web/user.tsx'
import css from '#membership/web/order-list.module.css'

type Data = Output<typeof membershipCardOrderList>

export function Page() {
  const words = useWords('membership')
  const { sellsMembership } = useSite().frame
  const { orders, roles, page, pages, total } = useLoaderData<Data>()
  const toCards = sellsMembership && (
    <Link to="/membershipCardList" className="button quiet">
      {words('seeCards')}
    </Link>
  )
  return (
    <section className="column">
      {orders.length === 0 ? (
        <Empty action={toCards}>{words('noOrders')}</Empty>
      ) : (
        <>
          <ol className={css.orders}>
            {orders.map((order) => (
              <Order key={order.id} order={order} />
            ))}
          </ol>
          <Pagination page={page} pages={pages} total={total} />
          {toCards}
        </>
      )}
      {roles.length > 0 && <RoleTimes roles={roles} />}
    </section>
  )
}

function Order({ order }: { order: OrderView }) {
  const words = useWords('membership')
  const language = useLanguage()
  const price = usePrice()
  const day = useDay()
  const { card, specification, role, quantity, duration, unit, paid, refund } = order
  const isMine = useIsMine(order)
  const isLess = JSON.stringify(paid) !== JSON.stringify(order.price)
  return (
    <li className={css.order} data-back={refund !== null || undefined}>
      <p className={css.title}>
        <strong>
          <bdi>{card[language]}</bdi>
        </strong>
        {refund && <span className="mark">{words(refund.isUpgrade ? 'upgraded' : 'refunded')}</span>}
        <span className="meta">
          <Time at={order.at} />
        </span>
      </p>
      <dl>
        <Fact name="option">
          <bdi>{specification[language]}</bdi> · {words('duration', { count: duration, unit })}{' '}
          {quantity > 1 && words('times', { count: quantity })}
        </Fact>
        <Fact name="role">
          <bdi>{role[language]}</bdi>
        </Fact>
        {isMine && (
          <Fact name="paid">
            {price(paid)} {isLess && <s className="meta">{price(order.price)}</s>}
          </Fact>
        )}
        <Fact name="valid">{words('range', { from: day(order.startsAt), until: day(order.endsAt) })}</Fact>
        {refund && isMine && (
          <Fact name={refund.isUpgrade ? 'upgraded' : 'refunded'}>
            {words(refund.isUpgrade ? 'upgradedSum' : 'refundedSum', { sum: sumOf(refund), at: day(refund.at) })}
          </Fact>
        )}
        {order.gift && <Gift gift={order.gift} isMine={isMine} />}
        <Fact name="number">
          <span className={css.number}>{order.number}</span>
        </Fact>
      </dl>
    </li>
  )

  function sumOf(sum: OrderView['price']): string {
    return sum.cash === null && sum.points === null ? words('nothingBack') : price(sum)
  }
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const words = useWords('membership')
  return (
    <div>
      <dt>{words(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Whether the reader paid for it. */
function useIsMine({ gift }: OrderView): boolean {
  const me = useMember()
  return gift === null || (gift.from !== null && gift.from.id === me?.userId)
}

function Gift({ gift: { from, to, note }, isMine }: { gift: NonNullable<OrderView['gift']>; isMine: boolean }) {
  const words = useWords('membership')
  const other = isMine ? to : from
  return (
    <>
      <Fact name={isMine ? 'giftTo' : 'giftFrom'}>{other ? <Name of={other} withRoles={false} /> : words('somebodyGone')}</Fact>
      {note && <Fact name="giftNote">{note}</Fact>}
    </>
  )
}

function RoleTimes({ roles }: { roles: Data['roles'] }) {
  const words = useWords('membership')
  const language = useLanguage()
  const day = useDay()
  return (
    <section aria-labelledby="role-history">
      <h2 id="role-history">{words('roleHistory')}</h2>
      <ul className={css.roles}>
        {roles.map(({ name, from, until, isNow }) => (
          <li key={`${name.en} ${from}`}>
            <span>
              <bdi>{name[language]}</bdi> {isNow && <span className="mark">{words('now')}</span>}
            </span>
            <span className="meta">
              {until ? words('range', { from: day(from), until: day(until) }) : words('forGood', { from: day(from) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
