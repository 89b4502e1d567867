import { useMemo, type ReactNode } from 'react'
import { documentOf } from '#assistant/links.ts'
import { Answer } from '#assistant/web/answer.tsx'
import type { Generation } from '#assistant/web/generation.ts'
import { copy, absoluteMarkdown } from '#base/web/share.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/panel.module.css'

/** A text that a model generates, rendered while it streams and marked as generated. It has links once the server has checked the whole. */
export function GeneratedTextView({
  making: { state, text, made, isWaiting, wrong },
  children,
}: {
  making: Generation
  /** Shown beside its marks. */ children?: ReactNode
}) {
  const words = useWords('assistant')
  const hasLinks = made !== null
  const doc = useMemo(() => documentOf(text, () => hasLinks), [text, hasLinks])
  const hasEnded = state === 'stopped' || state === 'failed' || state === 'made'
  return (
    <div data-ai-generated>
      <p className={css.marks}>
        <span className="mark">{words('aiGenerated')}</span>
        {made?.isStandIn && <span className="mark">{words('standIn')}</span>}
        {children}
      </p>
      <Answer doc={doc} isComing={state === 'running'} leave={stay} />
      {state === 'running' && text === '' && <p className={css.looking}>{words(isWaiting ? 'busy' : 'thinking')}</p>}
      {wrong && (
        <p className={css.failure} role="alert">
          {wrong}
        </p>
      )}
      <p className="hidden" role="status">
        {state === 'running' && words('answering')}
        {hasEnded && words('ended', { state: state === 'made' ? 'finished' : state })}
      </p>
    </div>
  )
}

type ActionsProps = { making: Generation; stop: () => void; retry: () => void; takes?: boolean }

/** Its actions: stop while it streams, then copy or retry. */
export function GeneratedTextActions({ making: { state, text }, stop, retry, takes = true }: ActionsProps) {
  const words = useWords('assistant')

  async function take(): Promise<void> {
    toast(words((await copy(`${absoluteMarkdown(text, location.origin)}\n\n${words('copyMark')}`)) ? 'copied' : 'cannotCopy'))
  }

  if (state === 'running')
    return (
      <button type="button" className="plain" onClick={stop}>
        {words('stop')}
      </button>
    )
  return (
    <>
      {(state === 'stopped' || state === 'failed') && (
        <button type="button" className="plain" onClick={retry}>
          {words('retry')}
        </button>
      )}
      {takes && text !== '' && (
        <button type="button" className="plain" onClick={() => void take()}>
          {words('copy')}
        </button>
      )}
    </>
  )
}

const stay = () => undefined
