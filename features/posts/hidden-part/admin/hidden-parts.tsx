import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Segments } from '#base/web/html.tsx'
import { Empty, Failed, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { hiddenForStaff } from '#hidden-part/contract.ts'
import { usePartTitle } from '#hidden-part/web/hidden-part.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#hidden-part/admin/hidden-parts.module.css'

type Part = Output<typeof hiddenForStaff>['parts'][number]
type HiddenProps = {
  topicId: string
  /** The number of parts; of removed ones too, if known. */ there: number
  takenOut?: number
}

/** A note that a topic has hidden parts, and their content on request for staff with the right. */
export function HiddenParts({ topicId, there, takenOut = 0 }: HiddenProps) {
  const words = useWords('hiddenPartAdmin')
  const { parts, hasFailed, ask } = useParts(topicId)
  if (there + takenOut === 0) return null
  const many = words('hides', { there, takenOut })
  if (!mayDo('content.seeHidden')) {
    return (
      <p className="note">
        {many}. {words('notYours')}
      </p>
    )
  }
  return (
    <details className={css.hidden} onToggle={({ currentTarget }) => currentTarget.open && parts === null && ask()}>
      <summary>{many}</summary>
      <p className="meta">{words('isNoted')}</p>
      {hasFailed && <Failed retry={ask} />}
      {!hasFailed && parts === null && <Skeleton lines={3} />}
      {parts?.length === 0 && <Empty>{words('nothingHidden')}</Empty>}
      {parts?.map((part) => (
        <OnePart key={`${part.id} ${part.stands} ${part.writtenAt}`} part={part} />
      ))}
    </details>
  )
}

function OnePart({ part }: { part: Part }) {
  const words = useWords('hiddenPartAdmin')
  const title = usePartTitle(part)
  const { stands, segments, writtenAt } = part
  return (
    <div role="group" className={css.part} data-stands={stands} aria-label={title}>
      <p className={css.head}>
        <strong>{title}</strong> <span className="mark">{words(standsWords[stands])}</span>
        {writtenAt && (
          <span className="meta">
            <Time at={writtenAt} />
          </span>
        )}
      </p>
      {segments.length === 0 ? <p className="meta">{words('saysNothing')}</p> : <Segments segments={segments} />}
    </div>
  )
}

const standsWords = { shown: 'shown', takenOut: 'takenOut', earlier: 'earlier', waiting: 'waiting' } as const satisfies Record<
  Part['stands'],
  string
>

/** Loaded on request only, because each read is audited. */
function useParts(topicId: string) {
  const api = useApi()
  const [parts, setParts] = useState<Part[] | null>(null)
  const [hasFailed, setFailed] = useState(false)

  async function look(): Promise<void> {
    setFailed(false)
    try {
      setParts((await api.read<typeof hiddenForStaff>('/admin/hiddenPart/topic', { topicId }, { silent: true })).parts)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailed(true)
    }
  }

  return { parts, hasFailed, ask: () => void look() }
}
