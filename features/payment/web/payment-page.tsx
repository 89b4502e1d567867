import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { paymentForm, PaymentView } from '#payment/contract.ts'
import { OnePayment } from '#payment/web/one-payment.tsx'
import { OpenPayments } from '#payment/web/open-payments.tsx'
import { TestMode } from '#payment/web/test-mode.tsx'
import { TopUpForm } from '#payment/web/top-up-form.tsx'
import { Amount } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

type Offer = Output<typeof paymentForm>
type Data = { offer: Offer; one: null } | { offer: null; one: { payment: PaymentView; balance: string | null } }

/** Where a member tops up their balance, or looks at one payment of theirs. */
export function Page() {
  const { offer, one } = useLoaderData<Data>()
  return <section className="column">{offer ? <Offered offer={offer} /> : <OnePayment {...one} />}</section>
}

function Offered({ offer }: { offer: Offer }) {
  const words = useWords('payment')
  const { ways, balance, isSandbox, open, least, leftToday } = offer
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
          deed={
            <Link to="/user/control/balance" className="button">
              {words('toBalance')}
            </Link>
          }
        >
          {words('noWay')}
        </Empty>
      ) : Number(leftToday) < Number(least) ? (
        <p className="note">{words('noMoreToday')}</p>
      ) : (
        <TopUpForm offer={offer} first={first} />
      )}
    </>
  )
}
