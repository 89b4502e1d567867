import { useMemo } from 'react'
import { citedSources, citeSources } from '#assistant/citations.ts'
import type { SourceView } from '#assistant/contract.ts'
import { documentOf, safeMarkdown, type LinkFilter } from '#assistant/links.ts'
import { Answer } from '#assistant/web/answer.tsx'
import { ReportAnswer } from '#assistant/web/report-answer.tsx'
import type { Turn } from '#assistant/web/turn.ts'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import { openEditors } from '#base/editor/open-editors.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { copy, absoluteMarkdown } from '#base/web/share.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/panel.module.css'

type ChatTurnProps = {
  turn: Turn
  number: number
  /** The allowed targets of links of this conversation. */
  allows: LinkFilter
  /** An answer is running, so no other can be requested. */
  isBusy: boolean
  leave: () => void
  edit: () => void
  retry: () => void
  goOn: () => void
  lookAgain: () => void
}

/** A question and its answer, rendered while it streams. */
export function ChatTurn({ turn, number, allows, isBusy, leave, ...actions }: ChatTurnProps) {
  const words = useWords('assistant')
  const { prompt, answer, sources, state, isHere, looking, isWaiting, failure, isStandIn, leftOut } = turn
  const doc = useMemo(() => citeSources(documentOf(answer, allows), sources), [answer, allows, sources])
  const cited = useMemo(() => citedSources(doc, sources), [doc, sources])

  function progress(): string {
    if (isWaiting) return words('busy')
    return looking ? words('looking', { query: looking }) : words('thinking')
  }

  return (
    <article className={css.turn} aria-label={words('turn', { number })}>
      <div className={css.asked}>
        <p className={css.prompt}>{prompt}</p>
        {!isBusy && (
          <button type="button" className="icon" aria-label={words('edit')} title={words('edit')} onClick={actions.edit}>
            <Icon name="edit" size={16} />
          </button>
        )}
      </div>
      <p className={css.marks}>
        <span className="mark">{words('aiGenerated')}</span>
        {isStandIn && <span className="mark">{words('standIn')}</span>}
      </p>
      <Answer doc={doc} isComing={isHere} leave={leave} />
      {isHere && (answer === '' || looking !== null || isWaiting) && <p className={css.looking}>{progress()}</p>}
      <LeftOut leftOut={leftOut} />
      <Sources sources={sources} cited={cited} leave={leave} />
      {failure && (
        <p className={css.failure} role="alert">
          {failure}
        </p>
      )}
      {state === 'running' && !isHere && (
        <p className={css.failure}>
          {words('stillRunning')}{' '}
          <button type="button" className="plain" onClick={actions.lookAgain}>
            {words('lookAgain')}
          </button>
        </p>
      )}
      {!isHere && <Actions {...{ turn, isBusy }} {...actions} markdown={() => safeMarkdown(answer, withoutPictures(allows))} />}
    </article>
  )
}

/** Copied text leaves pictures out: each is inserted separately, as a file of one's own. */
function withoutPictures(allows: LinkFilter): LinkFilter {
  return (href) => !href.startsWith('file:') && allows(href)
}

function LeftOut({ leftOut }: Pick<Turn, 'leftOut'>) {
  const words = useWords('assistant')
  if (leftOut.length === 0) return null
  return <p className={css.leftOut}>{leftOut.map((what) => words('leftOut', { what })).join(' ')}</p>
}

type ActionsProps = Pick<ChatTurnProps, 'turn' | 'isBusy' | 'retry' | 'goOn'> & { markdown: () => string }

function Actions({ turn: { id, answer, state }, isBusy, retry, goOn, markdown }: ActionsProps) {
  const words = useWords('assistant')
  const editor = openEditors.use().at(-1)
  const hasCome = answer !== ''
  const isCutOff = state === 'stopped' || state === 'failed'

  function insert(): void {
    editor?.insertMarkdown(markdown())
    lastGeneratedEditor.set(editor ?? null)
  }

  async function copyAnswer(): Promise<void> {
    const isCopied = await copy(`${absoluteMarkdown(markdown(), location.origin)}\n\n${words('copyMark')}`)
    toast(words(isCopied ? 'copied' : 'cannotCopy'))
  }

  return (
    <p className={css.actions}>
      {state === 'stopped' && <span className={css.stopped}>{words('stopped')}</span>}
      {isCutOff && !isBusy && hasCome && (
        <button type="button" className="plain" onClick={goOn}>
          {words('goOn')}
        </button>
      )}
      {!isBusy && state !== 'running' && (
        <button type="button" className="plain" onClick={retry}>
          {words('retry')}
        </button>
      )}
      {hasCome && (
        <button type="button" className="plain" onClick={() => void copyAnswer()}>
          {words('copy')}
        </button>
      )}
      {hasCome && editor && (
        <button type="button" className="plain" onClick={insert}>
          {words('insert')}
        </button>
      )}
      {hasCome && id !== null && state !== 'running' && <ReportAnswer turnId={id} />}
    </p>
  )
}

type SourcesProps = { sources: readonly SourceView[]; cited: readonly SourceView[]; leave: () => void }

/** The sources of an answer: the cited ones as its text counts them, and folded behind them the others that were read. */
function Sources({ sources, cited, leave }: SourcesProps) {
  const words = useWords('assistant')
  const others = sources.filter((source) => !cited.includes(source))
  return (
    <>
      {cited.length > 0 && (
        <section className={css.sources} aria-label={words('sources')}>
          <h3>{words('sources')}</h3>
          <SourceList sources={cited} leave={leave} />
        </section>
      )}
      {others.length > 0 && (
        <details className={css.sources}>
          <summary>{words('alsoRead', { count: others.length })}</summary>
          <SourceList sources={others} start={cited.length + 1} leave={leave} />
        </details>
      )}
    </>
  )
}

type SourceListProps = { sources: readonly SourceView[]; start?: number; leave: () => void }

function SourceList({ sources, start = 1, leave }: SourceListProps) {
  return (
    <ol start={start}>
      {sources.map(({ title, path }) => (
        <li key={path}>
          <Link to={path} onClick={leave}>
            {title}
          </Link>
        </li>
      ))}
    </ol>
  )
}
