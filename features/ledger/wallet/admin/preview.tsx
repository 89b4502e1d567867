import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { previewDays, previewRules } from '#wallet/adjust-contract.ts'
import { ruleKey } from '#wallet/web/rule-key.ts'
import css from '#wallet/admin/wallet.module.css'

type RulePreview = Output<typeof previewRules>

/** The points that the rules in the form would have given, beside those in force. */
export function Preview({ wanted }: { /** The current values of the form. */ wanted: () => Record<string, unknown> }) {
  const words = useWords('walletAdmin')
  const api = useApi()
  const [seen, setSeen] = useState<RulePreview | 'wrong' | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function look(): Promise<void> {
    const checked = previewRules.input.strip().safeParse(wanted())
    if (!checked.success) return setSeen('wrong')
    setBusy(true)
    try {
      setSeen(await api.read<typeof previewRules>('/admin/wallet/preview', checked.data))
    } catch (error) {
      // The error is already reported.
      if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={css.preview} aria-labelledby="preview">
      <h3 id="preview">{words('preview')}</h3>
      <p className="meta">{words('previewWhat', { days: previewDays })}</p>
      <button type="button" className="button quiet" disabled={isBusy} onClick={() => void look()}>
        {words('look30', { days: previewDays })}
      </button>
      <div role="status">
        {seen === 'wrong' && <p className="note">{words('mendFirst')}</p>}
        {seen !== null && seen !== 'wrong' && <Compared seen={seen} />}
      </div>
    </section>
  )
}

function Compared({ seen: { rules, inAll } }: { seen: RulePreview }) {
  const words = useWords('walletAdmin')
  const ofAll = useWords('wallet')
  const language = useLanguage()
  const number = (much: number) => new Intl.NumberFormat(language).format(much)
  const change = (now: number, would: number) => (now === would ? number(now) : `${number(now)} → ${number(would)}`)
  return (
    <div className={css.wide}>
      <table className="list">
        <thead>
          <tr>
            <th>{ofAll('for')}</th>
            <th>{words('posts')}</th>
            <th>{ofAll('points')}</th>
            <th>{words('atLimit')}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ rule, posts, now, wanted: would, cappedNow, cappedWanted }) => (
            <tr key={rule}>
              <td>{ofAll(ruleKey(rule))}</td>
              <td>{number(posts)}</td>
              <td>{change(now, would)}</td>
              <td>{change(cappedNow, cappedWanted)}</td>
            </tr>
          ))}
          <tr>
            <td>{words('allRules', { members: inAll.members })}</td>
            <td>{number(rules.reduce((sum, { posts }) => sum + posts, 0))}</td>
            <td>{change(inAll.now, inAll.wanted)}</td>
            <td>{change(inAll.cappedNow, inAll.cappedWanted)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
