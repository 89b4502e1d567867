import { useRef, useState } from 'react'
import { textOf, withChange, type DraftChange } from '#assistant/web/draft-changes.ts'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import type { OpenEditor } from '#base/editor/open-editors.ts'
import { partsBetween } from '#base/web/versions/changes.ts'
import { Parts } from '#base/web/versions/versions-dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/generated.module.css'
import versions from '#base/web/versions/versions-dialog.module.css'

type ReviewProps = { changes: readonly DraftChange[]; editor: OpenEditor; isStandIn: boolean }

/** The changes to a draft, block by block. Each is accepted or dismissed; later edits stay. */
export function Review({ changes, editor, isStandIn }: ReviewProps) {
  const words = useWords('assistant')
  const { list, open, gone, take, leave } = useReview(changes, editor)
  if (open.length === 0)
    return (
      <p className={css.about} role="status">
        {words(changes.length === 0 ? 'nothingToImprove' : 'reviewed')}
      </p>
    )
  return (
    <div className={css.review} data-ai-generated>
      <p className={css.actions}>
        <span className="mark">{words('aiGenerated')}</span>
        {isStandIn && <span className="mark">{words('standIn')}</span>}
        {open.length > 1 && (
          <>
            <button type="button" className="plain" onClick={() => take(open)}>
              {words('takeAll', { count: open.length })}
            </button>
            <button type="button" className="plain" onClick={() => leave(open)}>
              {words('leaveAll')}
            </button>
          </>
        )}
      </p>
      <ol ref={list}>
        {open.map((change) => (
          <OneChange
            key={changes.indexOf(change)}
            change={change}
            isGone={gone.includes(change)}
            take={() => take([change])}
            leave={() => leave([change])}
          />
        ))}
      </ol>
    </div>
  )
}

/** The open changes, and those whose block is gone. */
function useReview(changes: readonly DraftChange[], editor: OpenEditor) {
  const list = useRef<HTMLOListElement>(null)
  const [open, setOpen] = useState<readonly DraftChange[]>(changes)
  const [stale, setStale] = useState<readonly DraftChange[]>([])

  function take(selected: readonly DraftChange[]): void {
    let draft = editor.read()
    const missing = selected.filter((change) => {
      const next = withChange(draft, change)
      if (next) draft = next
      return next === null
    })
    if (missing.length < selected.length) {
      editor.replace(draft)
      lastGeneratedEditor.set(editor)
    }
    setStale([...stale, ...missing])
    leave(selected.filter((change) => !missing.includes(change)))
  }

  // Moves the focus to the next change.
  function leave(done: readonly DraftChange[]): void {
    const at = open.findIndex((change) => done.includes(change))
    setOpen(open.filter((change) => !done.includes(change)))
    setTimeout(() => {
      const next = list.current?.children[Math.min(at, list.current.children.length - 1)]
      next?.querySelector('button')?.focus()
    })
  }
  return { list, open, gone: stale, take, leave }
}

type OneChangeProps = { change: DraftChange; isGone: boolean; take: () => void; leave: () => void }

function OneChange({ change: { before, after }, isGone, take, leave }: OneChangeProps) {
  const words = useWords('assistant')
  const parts = partsBetween(before ? textOf(before) : '', after ? textOf(after) : '')
  return (
    <li>
      <div className={versions.changes}>
        <p className={css.changed}>
          <Parts parts={parts} />
        </p>
      </div>
      {isGone && (
        <p className="wrong" role="alert">
          {words('paragraphGone')}
        </p>
      )}
      <p className={css.actions}>
        <button type="button" className="plain" onClick={take}>
          {words('take')}
        </button>
        <button type="button" className="plain" onClick={leave}>
          {words('leave')}
        </button>
      </p>
    </li>
  )
}
