import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { reverseTransaction, type transaction } from '#wallet/adjust-contract.ts'
import { ActorName, Sums } from '#wallet/admin/cells.tsx'
import { kindKey, subjectPath } from '#wallet/web/log.tsx'
import { Amount } from '#wallet/web/wallet.tsx'
import css from '#wallet/admin/wallet.module.css'

type Transaction = Output<typeof transaction>

export function Page() {
  const words = useWords('walletAdmin')
  const its = useLoaderData<Transaction>()
  const name = words('transactionCalled', { id: its.id })
  return (
    <>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogLink about={`transaction ${its.id}`} />
        </Menu>
      </Head>
      {its.reversedBy && (
        <p className="note">
          {words('wasReversed')} <To id={its.reversedBy} />
        </p>
      )}
      {its.isWaiting && (
        <p className="note">
          <Link to="/admin/money-request?state=waiting">{words('reversalWaits')}</Link>
        </p>
      )}
      <Facts its={its} />
      <Entries its={its} />
      {its.canReverse && mayDo('wallet.reverse') && <ReverseForm its={its} />}
    </>
  )
}

function Facts({ its }: { its: Transaction }) {
  const words = useWords('walletAdmin')
  const ofAll = useWords('wallet')
  const { kind, at, reason, source, subject, topicId, reverses } = its
  return (
    <dl className={css.facts}>
      <dt>{ofAll('kind')}</dt>
      <dd>
        {ofAll(kindKey(kind))} {reverses && <To id={reverses} />}
      </dd>
      <dt>{words('amount')}</dt>
      <dd>
        <Sums row={its} />
      </dd>
      <dt>{words('at')}</dt>
      <dd>
        <Time at={at} />
      </dd>
      <dt>{words('by')}</dt>
      <dd>
        <ActorName row={its} />
      </dd>
      {reason && (
        <>
          <dt>{words('reason')}</dt>
          <dd>{reason}</dd>
        </>
      )}
      <dt>{words('source')}</dt>
      <dd>
        {subject ? <a href={subjectPath(subject)}>{subject.title}</a> : <code>{source}</code>}
        {topicId && mayDo('content.view') && (
          <>
            {' · '}
            <Link to={`/admin/topic/view?topicId=${topicId}#unlocked-by`}>{words('unlockedBy')}</Link>
          </>
        )}
      </dd>
    </dl>
  )
}

function To({ id }: { id: string }) {
  const words = useWords('walletAdmin')
  return <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{words('transactionCalled', { id })}</Link>
}

function Entries({ its: { entries } }: { its: Transaction }) {
  const words = useWords('walletAdmin')
  return (
    <div className={css.wide}>
      <table className="list">
        <thead>
          <tr>
            <th>{words('account')}</th>
            <th>{words('amount')}</th>
            <th>{words('after')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ account, owner, currency, amount, balance }) => (
            <tr key={`${account} ${owner?.id} ${currency}`}>
              <td>
                {words(`account${account}`)} {owner && <Link to={`/admin/wallet/member?memberId=${owner.id}`}>{owner.name}</Link>}
              </td>
              <td>
                <Amount of={amount} currency={currency} isMove />
              </td>
              <td>{balance !== null && <Amount of={balance} currency={currency} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ReverseForm({ its }: { its: Transaction }) {
  const words = useWords('walletAdmin')
  const [isOpen, setOpen] = useState(false)
  const title = words('reverseTitle', { id: its.id })
  return (
    <>
      <p className={css.actions}>
        <button type="button" className="button danger" onClick={() => setOpen(true)}>
          {words('reverse')}
        </button>
      </p>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <Form
          endpoint={reverseTransaction}
          extra={{ transactionId: its.id }}
          onSuccess={({ isWaiting }) => {
            setOpen(false)
            toast(words(isWaiting ? 'asked' : 'reversed'))
          }}
        >
          <p>{words('reverseWhat')}</p>
          <TextField name="reason" label={words('reason')} help={words('reasonRead')} maxLength={500} rows={2} required data-first />
          <Submit danger>{words('reverse')}</Submit>
        </Form>
      </Dialog>
    </>
  )
}
