import { useState, type ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import { PersonLink } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { SelectField, Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { Time, useDay } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { cardText, State } from '#membership/admin/orders-page.tsx'
import { Price, priceText } from '#membership/admin/price.tsx'
import { SiteClock } from '#membership/admin/site-clock.tsx'
import { refundMembershipOrder, refundWays, type membershipOrder } from '#membership/order-contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'

type Order = Output<typeof membershipOrder>
type Way = (typeof refundWays)[number]

export function Page() {
  const words = useWords('membershipAdmin')
  const order = useLoaderData<Order>()
  const [isOpen, setOpen] = useState(false)
  const name = words('orderCalled', { number: order.number })
  return (
    <SiteClock>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogLink about={`membershipOrder ${order.id}`} />
        </Menu>
      </Head>
      <Notes order={order} />
      <Facts order={order} />
      {order.canRefund && mayDo('membership.refund') && (
        <p className="actions">
          <button type="button" className="button danger" onClick={() => setOpen(true)}>
            {words('refund')}
          </button>
        </p>
      )}
      <Dialog title={words('refundTitle', { number: order.number })} isOpen={isOpen} close={() => setOpen(false)}>
        <RefundForm order={order} onDone={() => setOpen(false)} />
      </Dialog>
    </SiteClock>
  )
}

/** The reasons against a refund, if any. */
function Notes({ order: { isWaiting, isOwn, later, refund } }: { order: Order }) {
  const words = useWords('membershipAdmin')
  if (refund) return null
  return (
    <>
      {isWaiting && (
        <p className="note">
          <Link to="/admin/money-request?state=waiting">{words('refundWaits')}</Link>
        </p>
      )}
      {isOwn && <p className="note">{words('orderOwn')}</p>}
      {later && (
        <p className="note">
          {words('orderContinued')} <Link to={`/admin/membershipOrder/view?orderId=${later.id}`}>{later.number}</Link>
        </p>
      )}
    </>
  )
}

function Facts({ order }: { order: Order }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { buyer, holder, isGift, note, price, paid, coupon, transactionId } = order
  const day = useDay()
  return (
    <dl className={facts.facts}>
      <Fact label={words('orderState')}>
        <State of={order} />
      </Fact>
      <Fact label={words('orderCard')}>{cardText(order, words, language)}</Fact>
      <Fact label={words('orderRole')}>{order.role[language]}</Fact>
      <Fact label={words('orderBuyer')}>
        <PersonLink of={buyer} />
      </Fact>
      {isGift && (
        <Fact label={words('orderHolder')}>
          <PersonLink of={holder} />
        </Fact>
      )}
      {note && <Fact label={words('orderNote')}>{note}</Fact>}
      <Fact label={words('orderAt')}>
        <Time at={order.at} />
      </Fact>
      <Fact label={words('orderPeriod')}>{words('roleFromUntil', { from: day(order.startsAt), until: day(order.endsAt) })}</Fact>
      {coupon && (
        <Fact label={words('orderCoupon')}>
          {coupon} · {words('orderBefore')} <Price of={price} />
        </Fact>
      )}
      <Fact label={words('orderPaid')}>
        <TransactionFact of={paid} transactionId={transactionId} />
      </Fact>
      <RefundFacts order={order} />
    </dl>
  )
}

function RefundFacts({ order: { refund, refundId, upgradeId, rest } }: { order: Order }) {
  const words = useWords('membershipAdmin')
  return (
    <>
      {refund ? (
        <Fact label={words('orderRefunded')}>
          <TransactionFact of={refund} transactionId={refundId} /> · <Time at={refund.at} />
          {upgradeId && (
            <>
              {' · '}
              <Link to={`/admin/membershipOrder/view?orderId=${upgradeId}`}>{words('orderUpgradedTo')}</Link>
            </>
          )}
        </Fact>
      ) : (
        <Fact label={words('orderRest')}>
          <Price of={rest} />
        </Fact>
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function TransactionFact({ of, transactionId }: { of: Order['paid']; transactionId: string | null }) {
  if (transactionId === null || !mayDo('wallet.view')) return <Price of={of} />
  return (
    <Link to={`/admin/wallet/transaction?transactionId=${transactionId}`}>
      <Price of={of} />
    </Link>
  )
}

function RefundForm({ order, onDone }: { order: Order; onDone: () => void }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { id, rest, paid, endsRole } = order
  const isOver = rest.cash === null && rest.points === null
  const [way, choose] = useState<Way>(isOver ? 'all' : 'rest')
  return (
    <Form
      endpoint={refundMembershipOrder}
      extra={{ orderId: id }}
      onSuccess={({ isWaiting }) => {
        onDone()
        toast(words(isWaiting ? 'refundAsked' : 'refundDone'))
      }}
    >
      <p>{words(endsRole ? 'refundEnds' : 'refundKeeps', { role: order.role[language] })}</p>
      <SelectField name="way" label={words('refundWay')} value={way} onChange={({ target }) => choose(target.value as Way)} data-first>
        {refundWays.map((one) => (
          <option key={one} value={one}>
            {words(`refund${one}`, { price: priceText(one === 'all' ? paid : rest, words, language) })}
          </option>
        ))}
      </SelectField>
      {way === 'amount' && <Amounts order={order} />}
      <TextField name="reason" label={words('reason')} help={words('refundReasonRead')} maxLength={500} rows={2} required />
      <Submit danger>{words('refund')}</Submit>
    </Form>
  )
}

function Amounts({ order: { rest, paid } }: { order: Order }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const { allowCash } = useSite()
  return (
    <>
      {allowCash && paid.cash !== null && (
        <Field
          name="cash"
          label={words('refundCash')}
          help={words('refundMost', { price: priceText({ cash: paid.cash, points: null }, words, language) })}
          defaultValue={rest.cash ?? '0'}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      )}
      {paid.points !== null && (
        <Field
          name="points"
          label={words('refundPoints')}
          help={words('refundMost', { price: priceText({ cash: null, points: paid.points }, words, language) })}
          defaultValue={rest.points ?? '0'}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      )}
    </>
  )
}
