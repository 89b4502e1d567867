import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { refundTopic, refundUnlock, type unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#hidden-part/admin/unlocked-by.module.css'

export { HiddenParts } from '#hidden-part/admin/hidden-parts.tsx'

type Unlocks = Output<typeof unlocksForStaff>
type Unlock = Unlocks['unlocks'][number]

/** The anchor of the list on the page of a topic. */
export const unlockedBy = 'unlocked-by'
/** The page parameter of this list, distinct from those of its neighbours. */
export const unlocksPage = 'unlocksPage'

/** The purchases of a topic's hidden parts with their prices, and refunds of one or of all. */
export function UnlockedBy({ topicId, of: { unlocks, refundable, total, page, pages } }: { topicId: string; of: Unlocks }) {
  const words = useWords('hiddenPartAdmin')
  const [refunded, setRefunded] = useState<Unlock | 'all' | null>(null)
  const mayRefund = mayDo('wallet.reverse')
  const close = () => setRefunded(null)
  if (total === 0) return null
  return (
    <section id={unlockedBy} className={css.unlocks} aria-labelledby={`${unlockedBy}-title`}>
      <div className={css.head}>
        <h2 id={`${unlockedBy}-title`}>{words('unlockedBy', { count: total })}</h2>
        {mayRefund && refundable > 1 && (
          <button type="button" className="button quiet" onClick={() => setRefunded('all')}>
            {words('refundAll')}
          </button>
        )}
      </div>
      <ol className={css.list}>
        {unlocks.map((unlock) => (
          <li key={unlock.id}>
            <UnlockSummary unlock={unlock} />
            {mayRefund && unlock.canRefund && !unlock.isWaiting && (
              <button
                type="button"
                className="button quiet"
                aria-label={words('refundOf', { name: unlock.member.name })}
                onClick={() => setRefunded(unlock)}
              >
                {words('refund')}
              </button>
            )}
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} parameter={unlocksPage} />
      {refunded === 'all' && <RefundAll topicId={topicId} count={refundable} close={close} />}
      {refunded !== null && refunded !== 'all' && <RefundOne unlock={refunded} close={close} />}
    </section>
  )
}

function UnlockSummary({ unlock }: { unlock: Unlock }) {
  const words = useWords('hiddenPartAdmin')
  const amount = useAmount()
  const { member, lock, paid, earned, at, transactionId, refundId, isWaiting } = unlock
  return (
    <div className={css.what}>
      <Link to={`/admin/wallet/member?memberId=${member.id}`}>{member.name}</Link>
      <span>{lock === 'password' ? words('byPassword') : words('paid', { paid: amount(lock, paid), earned: amount(lock, earned) })}</span>
      <span className="meta">
        <Time at={at} />
        {transactionId && (
          <>
            {' · '}
            <Link to={`/admin/wallet/transaction?transactionId=${transactionId}`}>{words('transaction', { id: transactionId })}</Link>
          </>
        )}
      </span>
      {isWaiting && (
        <Link className="mark" to="/admin/money-request?state=waiting">
          {words('refundWaits')}
        </Link>
      )}
      {refundId && (
        <Link className="mark" to={`/admin/wallet/transaction?transactionId=${refundId}`}>
          {words('refunded')}
        </Link>
      )}
    </div>
  )
}

function RefundOne({ unlock, close }: { unlock: Unlock; close: () => void }) {
  const words = useWords('hiddenPartAdmin')
  const ofMoney = useWords('walletAdmin')
  const amount = useAmount()
  const { id: unlockId, member, lock, paid, earned } = unlock
  return (
    <Dialog title={words('refundOf', { name: member.name })} isOpen close={close}>
      <Form
        endpoint={refundUnlock}
        extra={{ unlockId }}
        onSuccess={({ isWaiting }) => {
          close()
          toast(isWaiting ? ofMoney('asked') : words('isRefunded'))
        }}
      >
        <p>{words('refundWhat', { paid: amount(lock, paid), earned: amount(lock, earned) })}</p>
        <Reason />
        <Submit danger>{words('refund')}</Submit>
      </Form>
    </Dialog>
  )
}

function RefundAll({ topicId, count, close }: { topicId: string; count: number; close: () => void }) {
  const words = useWords('hiddenPartAdmin')
  const ofMoney = useWords('walletAdmin')
  return (
    <Dialog title={words('refundAllTitle', { count })} isOpen close={close}>
      <Form
        endpoint={refundTopic}
        extra={{ topicId }}
        onSuccess={({ isWaiting, refunded, left }) => {
          close()
          toast(isWaiting ? ofMoney('asked') : words('areRefunded', { refunded, left }))
        }}
      >
        <p>{words('refundAllWhat')}</p>
        <Reason />
        <Submit danger>{words('refundAll')}</Submit>
      </Form>
    </Dialog>
  )
}

function Reason() {
  const words = useWords('hiddenPartAdmin')
  return <TextField name="reason" label={words('reason')} help={words('reasonRead')} maxLength={500} rows={2} required data-first />
}

function useAmount(): (lock: Unlock['lock'], amount: string) => string {
  const words = useWords('hiddenPart')
  const language = useLanguage()
  return (lock, amount) => (lock === 'balance' ? amountText(amount, 'cny', language) : words('points', { amount: Number(amount) }))
}
