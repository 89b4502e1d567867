import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { paymentForm, PaymentView } from '#payment/contract.ts'
import { History } from '#payment/web/history.tsx'
import { OnePayment } from '#payment/web/one-payment.tsx'
import { OpenPayments } from '#payment/web/open-payments.tsx'
import { TestMode } from '#payment/web/test-mode.tsx'
import { TopUpForm } from '#payment/web/top-up-form.tsx'
import { useFreshOnReturn } from '#payment/web/watch.ts'
import { Amount } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

type Offer = Output<typeof paymentForm>
type Data =
  | { offer: Offer; history: History; isInWeChat: boolean; one: null }
  | { offer: null; one: { payment: PaymentView; balance: string | null } }

const closedWords = {
  age: 'tooYoung',
  ban: 'closedByBan',
  approval: 'closedByApproval',
  frozenBooks: 'closedByFrozenBooks',
  dailyLimit: 'noMoreToday',
} as const

export function Page() {
  const data = useLoaderData<Data>()
  useFreshOnReturn()
  return (
    <section className="column">
      {data.offer ? (
        <>
          <TopUpSection offer={data.offer} isInWeChat={data.isInWeChat} />
          <History {...data.history} beside={data.offer.open} />
        </>
      ) : (
        <OnePayment {...data.one} />
      )}
    </section>
  )
}

function TopUpSection({ offer, isInWeChat }: { offer: Offer; isInWeChat: boolean }) {
  const words = useWords('payment')
  const { ways, balance, isSandbox, open, closedBy } = offer
  const [first] = ways
  return (
    <>
      <p className={css.balance}>
        {words('balanceNow')}{' '}
        <strong>
          <Amount of={balance} currency="cny" />
        </strong>
      </p>
      {isSandbox && <TestMode />}
      <OpenPayments open={open} />
      {!first ? (
        <Empty
          action={
            <Link to="/user/control/balance" className="button">
              {words('toBalance')}
            </Link>
          }
        >
          {words(isInWeChat ? 'noWayInWeChat' : 'noWay')}
        </Empty>
      ) : closedBy ? (
        <p className="note">{words(closedWords[closedBy])}</p>
      ) : (
        <TopUpForm offer={offer} first={first} />
      )}
    </>
  )
}
