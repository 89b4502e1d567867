import { useWords } from '#base/web/words.tsx'
import type { Finding, Sample } from '#importer/contract.ts'
import { reasonWords } from '#importer/reasons.ts'
import css from '#importer/admin/imports.module.css'

/** A reason in words; the name of a tag stays as it is. */
export function useReason(): (why: string) => string {
  const words = useWords('importerAdmin')
  return (why) => (reasonWords[why] ? words(`why${reasonWords[why]}`) : why)
}

type FindingsProps = { title: string; findings: readonly Finding[] }

/** Reasons with how many rows they are about, and some samples of each. */
export function Findings({ title, findings }: FindingsProps) {
  const words = useWords('importerAdmin')
  const reason = useReason()
  return (
    <>
      <div className="meta">{title}</div>
      <ul className={css.findings}>
        {findings.map(({ why, count, samples }) => (
          <li key={why}>
            {words('finding', { count, why: reason(why) })} <span className="meta">{samples.map(sampleText).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function sampleText({ id, name }: Sample): string {
  return name === null ? `#${id}` : `${name} (#${id})`
}
