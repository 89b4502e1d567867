import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { inLocalZone } from '#base/admin/csv.ts'
import { saveCsv } from '#base/admin/save-csv.ts'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { entryKinds } from '#wallet/contract.ts'
import type { balance, EntryView, statement } from '#wallet/log-contract.ts'
import { Available } from '#wallet/web/available.tsx'
import { Held, InEnvelopes } from '#wallet/web/held.tsx'
import { kindKey, Log } from '#wallet/web/log.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/web/wallet.module.css'

type Data = Output<typeof balance>

const kinds = entryKinds.filter((kind) => kind !== 'opening' && kind !== 'reward' && kind !== 'rewardTaken')

export function Page() {
  const words = useWords('wallet')
  const language = useLanguage()
  const { open } = useSite()
  const { account, unspendable, held, inEnvelopes, months, log } = useLoaderData<Data>()
  return (
    <section className="column">
      <section className={css.has} aria-label={words('mine')}>
        <Available balance={account.balance} unspendable={unspendable} />
        <Held held={held} currency="cny" />
        <InEnvelopes of={inEnvelopes} currency="cny" />
        {open.topUps && (
          <p className={css.topUp}>
            <Link to="/user/control/payment" className="button">
              {words('topUp')}
            </Link>
          </p>
        )}
        {Number(account.owed) > 0 && <p className="note">{words('owes', { amount: amountText(account.owed, 'cny', language) })}</p>}
      </section>
      {months.length > 0 && <Statements months={months} />}
      <Log log={log} currency="cny" kinds={kinds} />
    </section>
  )
}

/** Downloads a month as a spreadsheet. */
function Statements({ months }: { months: readonly string[] }) {
  const words = useWords('wallet')
  const language = useLanguage()
  const api = useApi()
  const [month, setMonth] = useState(months[0] ?? '')
  const [isBusy, setBusy] = useState(false)
  const name = (one: string) => new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(one))

  async function save(): Promise<void> {
    setBusy(true)
    try {
      saveCsv(await statementOf(api, month, words), `${words('statementFile')}-${month}`)
    } catch (error) {
      // The error is already reported.
      if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <section aria-labelledby="statements">
      <h2 id="statements">{words('statements')}</h2>
      <div className={css.filters}>
        <label>
          {words('month')}
          <select value={month} onChange={({ target }) => setMonth(target.value)}>
            {months.map((one) => (
              <option key={one} value={one}>
                {name(one)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="button quiet" disabled={isBusy} onClick={() => void save()}>
          {words('saveStatement')}
        </button>
      </div>
    </section>
  )
}

/** All entries of a month, oldest first, between the opening and the closing balance. */
async function statementOf(api: Api, month: string, words: Translate): Promise<string[][]> {
  const pageFrom = (before?: string) => api.read<typeof statement>('/user/control/statement', { month, ...(before && { before }) })
  let found = await pageFrom()
  const entries: EntryView[] = [...found.log.rows]
  while (found.log.next) {
    found = await pageFrom(found.log.next)
    entries.push(...found.log.rows)
  }
  const rows = entries.reverse().map(({ id, at, kind, subject, reason, amount, balance: after }) => {
    return [id, inLocalZone(at), words(kindKey(kind)), subject?.title ?? '', reason ?? '', amount, after]
  })
  const heads = ['number', 'time', 'kind', 'for', 'reason', 'amount', 'after'].map((one) => words(one))
  return [heads, ['', '', words('opening'), '', '', '', found.opening], ...rows, ['', '', words('closing'), '', '', '', found.closing]]
}
