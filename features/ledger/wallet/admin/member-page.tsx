import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import type { memberAccounts } from '#wallet/adjust-contract.ts'
import { AdjustForm } from '#wallet/admin/adjust-form.tsx'
import type { Currency } from '#wallet/contract.ts'
import type { EntryView } from '#wallet/log-contract.ts'
import { kindKey, subjectPath } from '#wallet/web/log.tsx'
import { ruleKey } from '#wallet/web/rule-key.ts'
import { Amount, amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/admin/wallet.module.css'

type Data = Output<typeof memberAccounts>

export function Page() {
  const words = useWords('walletAdmin')
  const data = useLoaderData<Data>()
  const [query] = useSearchParams()
  const currency: Currency = data.accounts.find((one) => one.currency === query.get('currency'))?.currency ?? 'points'
  const { id, name } = data.member
  return (
    <>
      <Head title={words('accountsOf', { name })} />
      <p>
        {mayDo('member.view') && <Link to={`/admin/member/view?memberId=${id}`}>{words('toMember')}</Link>}{' '}
        <Link to={`/admin/wallet?member=${id}`}>{words('theirTransactions')}</Link>
      </p>
      {data.waiting > 0 && (
        <p className="note">
          <Link to={`/admin/money-request?state=waiting&member=${id}`}>{words('waitingHere', { count: data.waiting })}</Link>
        </p>
      )}
      <Accounts data={data} shown={currency} />
      {mayDo('wallet.adjust') && <Adjust data={data} currency={currency} />}
      <Log data={data} currency={currency} />
    </>
  )
}

function Accounts({ data: { accounts, member, earned }, shown }: { data: Data; shown: Currency }) {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  return (
    <ul className={css.accounts}>
      {accounts.map(({ currency, balance, owed, held }) => (
        <li key={currency}>
          <Link
            to={`/admin/wallet/member?memberId=${member.id}&currency=${currency}`}
            aria-current={currency === shown ? 'page' : undefined}
          >
            <strong>
              <Amount of={balance} currency={currency} />
            </strong>
            {words(currency)}
            {currency === 'points' && <span className="meta">{words('earned', { points: earned })}</span>}
            {Number(owed) > 0 && <span className="meta">{words('owed', { amount: amountText(owed, currency, language) })}</span>}
            {Number(held) > 0 && <span className="meta">{words('held', { amount: amountText(held, currency, language) })}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Adjust({ data, currency }: { data: Data; currency: Currency }) {
  const words = useWords('walletAdmin')
  const [isOpen, setOpen] = useState(false)
  const { allowCash } = useSite()
  if (currency === 'cny' && !allowCash) return <p className="note">{words('noBalanceNow')}</p>
  if (data.isOfMe) return <p className="note">{words('ownAccount')}</p>
  return (
    <>
      <p className={css.actions}>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {words(currency === 'points' ? 'adjustPoints' : 'adjustBalance')}
        </button>
      </p>
      <Dialog title={words('adjustTitle', { name: data.member.name })} isOpen={isOpen} close={() => setOpen(false)}>
        {isOpen && <AdjustForm data={data} currency={currency} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

function Log({ data: { log, member }, currency }: { data: Data; currency: Currency }) {
  const words = useWords('walletAdmin')
  const ofAll = useWords('wallet')
  if (log.rows.length === 0) return <Empty>{words('nothingYet')}</Empty>
  return (
    <>
      <h2>{ofAll('log')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th>{ofAll('kind')}</th>
              <th>{words('at')}</th>
              <th>{words('amount')}</th>
              <th>{words('after')}</th>
            </tr>
          </thead>
          <tbody>
            {log.rows.map((entry) => (
              <Line key={entry.id} entry={entry} currency={currency} />
            ))}
          </tbody>
        </table>
      </div>
      {log.next && (
        <p className={css.actions}>
          <Link to={`/admin/wallet/member?memberId=${member.id}&currency=${currency}&before=${log.next}`} className="button quiet">
            {ofAll('older')}
          </Link>
        </p>
      )}
    </>
  )
}

function Line({ entry: { id, kind, at, amount, balance, reason, rule, subject }, currency }: { entry: EntryView; currency: Currency }) {
  const ofAll = useWords('wallet')
  return (
    <tr>
      <td>
        <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{ofAll(kindKey(kind))}</Link>
        {rule && ` · ${ofAll(ruleKey(rule))}`}
        {subject && (
          <>
            {' · '}
            <a href={subjectPath(subject)}>{subject.title}</a>
          </>
        )}
        {reason && <span className="meta"> · {reason}</span>}
      </td>
      <td>
        <Time at={at} />
      </td>
      <td>
        <Amount of={amount} currency={currency} isMove />
      </td>
      <td>
        <Amount of={balance} currency={currency} />
      </td>
    </tr>
  )
}
