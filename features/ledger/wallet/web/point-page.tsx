import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useLoginPath } from '#account/web/account.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { entryKinds } from '#wallet/contract.ts'
import type { point, pointRules } from '#wallet/log-contract.ts'
import { Held, InEnvelopes } from '#wallet/web/held.tsx'
import { Log } from '#wallet/web/log.tsx'
import { ruleKey } from '#wallet/web/rule-key.ts'
import { Amount, amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/web/wallet.module.css'

type Own = Output<typeof point>
type Data = { rules: Output<typeof pointRules>; /** Null for visitors. */ own: Own | null }

export function Page() {
  const words = useWords('wallet')
  const { rules, own } = useLoaderData<Data>()
  const loginPath = useLoginPath()
  return (
    <section className="column">
      {own ? <OwnPoints own={own} /> : <p className={`meta ${css.what}`}>{words('pointsWhat')}</p>}
      <Rules rules={rules} own={own} />
      {own ? (
        <Log log={own.log} currency="points" kinds={entryKinds} />
      ) : (
        <p>
          <Link to={loginPath} className="button">
            {words('logIn')}
          </Link>
        </p>
      )}
    </section>
  )
}

function OwnPoints({ own: { account, held, inEnvelopes, level } }: { own: Own }) {
  const words = useWords('wallet')
  const language = useLanguage()
  const toNext = level.nextAt === null ? null : level.nextAt - level.points
  return (
    <section className={css.has} aria-label={words('mine')}>
      <p className={css.much}>
        <Amount of={account.balance} currency="points" />
      </p>
      <p className="meta">{words('toSpend')}</p>
      <Held held={held} currency="points" />
      <InEnvelopes of={inEnvelopes} currency="points" />
      {account.owed !== '0' && <p className="note">{words('owes', { amount: amountText(account.owed, 'points', language) })}</p>}
      <p>
        <strong>{words('level', { rank: level.rank, name: level.name[language] })}</strong>{' '}
        <span className="meta">{words('earned', { points: level.points })}</span>
      </p>
      {level.nextAt !== null && (
        <>
          <progress value={Math.max(0, level.points)} max={level.nextAt} aria-label={words('toNextLevel')} />
          <p className="meta">{words('toNext', { points: toNext ?? 0 })}</p>
        </>
      )}
    </section>
  )
}

function DailyLimit({ of: { most, mostFromOne } }: { of: Data['rules']['rules'][number] }) {
  const words = useWords('wallet')
  const language = useLanguage()
  const number = (much: number) => amountText(String(much), 'points', language)
  const all = most === null ? words('noLimit') : number(most)
  return mostFromOne === null ? all : words('mostFromOne', { most: all, each: number(mostFromOne) })
}

function Rules({ rules: { rules, most, levels }, own }: Data) {
  const words = useWords('wallet')
  const language = useLanguage()
  const number = (much: number) => amountText(String(much), 'points', language)
  const earned = new Map(own?.today.map((one) => [one.rule, one.earned]))
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">{words(own ? 'rulesAndToday' : 'rules')}</h2>
      <table className={`list ${css.rules}`}>
        <thead>
          <tr>
            <th>{words('for')}</th>
            <th>{words('points')}</th>
            <th>{words('mostADay')}</th>
            {own && <th>{words('today')}</th>}
          </tr>
        </thead>
        <tbody>
          {rules
            .filter(({ points }) => points > 0)
            .map((one) => (
              <tr key={one.rule}>
                <td>{words(ruleKey(one.rule))}</td>
                <td>{number(one.points)}</td>
                <td>
                  <DailyLimit of={one} />
                </td>
                {own && <td>{number(earned.get(one.rule) ?? 0)}</td>}
              </tr>
            ))}
          <tr>
            <td>{words('inAll')}</td>
            <td>–</td>
            <td>{most === null ? words('noLimit') : number(most)}</td>
            {own && <td>{number(own.todayInAll.earned)}</td>}
          </tr>
        </tbody>
      </table>
      <p>{words('rulesWhat')}</p>
      <p>{words('levelsWhat')}</p>
      <ul className={css.levels}>
        {levels.map(({ name, needs }) => (
          <li key={needs}>
            {name[language]} <span className="meta">{words('from', { points: needs })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
