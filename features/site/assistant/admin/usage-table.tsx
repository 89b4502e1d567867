import type { ReactNode } from 'react'
import type { UsageSums } from '#assistant/usage-contract.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import css from '#assistant/admin/assistant.module.css'

const sums = ['answers', 'input', 'cached', 'output', 'estimated', 'cost'] as const
type Sum = (typeof sums)[number]

/** Formats numbers in the language of the page; costs to four decimals of a yuan. */
export function useUsageText(): (of: UsageSums, name: Sum) => string {
  const language = useLanguage()
  const yuan = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'CNY',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 4,
  })
  const number = new Intl.NumberFormat(language)
  return (of, name) => (name === 'cost' ? yuan.format(Number(of.cost)) : number.format(of[name]))
}

type Row = { key: string; first: ReactNode; of: UsageSums }
type UsageTableProps = { title: string; first: string; note?: string | undefined; rows: readonly Row[] }

export function UsageTable({ title, first, note, rows }: UsageTableProps) {
  const words = useWords('assistantAdmin')
  const text = useUsageText()
  return (
    <>
      <h2>{title}</h2>
      {note && <p className="meta">{note}</p>}
      <div className={css.wide}>
        <table className={`list ${css.sums}`}>
          <thead>
            <tr>
              <th>{first}</th>
              {sums.map((name) => (
                <th key={name}>{words(name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, first: its, of }) => (
              <tr key={key}>
                <td>{its}</td>
                {sums.map((name) => (
                  <td key={name} data-label={name === 'cost' ? undefined : words(name)}>
                    {text(of, name)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
