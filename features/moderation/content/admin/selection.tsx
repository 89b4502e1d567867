import { useState } from 'react'
import { useWords } from '#base/web/words.tsx'
import { MoveDialog, type KindSource } from '#content/admin/move-dialog.tsx'
import type { Places } from '#content/admin/tag-choice.tsx'
import css from '#content/admin/content.module.css'

export type Selection = ReturnType<typeof useSelection>

export function useSelection() {
  const [isOn, setOn] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return {
    isOn,
    chosen,
    turn: () => {
      setOn(!isOn)
      setChosen(new Set())
    },
    toggle: (id: string) => setChosen(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id])),
  }
}

export function SelectBox({ choosing, id, label }: { choosing: Selection; id: string; label: string }) {
  return <input type="checkbox" aria-label={label} checked={choosing.chosen.has(id)} onChange={() => choosing.toggle(id)} />
}

/** The number of selected comments, with the action to move them. */
export function SelectionBar({ topic, tags, choosing }: { topic: KindSource; tags: Places; choosing: Selection }) {
  const words = useWords('contentAdmin', { of: topic.kind })
  const [isMoving, setMoving] = useState(false)
  const { size } = choosing.chosen
  return (
    <div className={css.chosenBar} role="group" aria-label={words('chooseComments')}>
      <span role="status">{words('chosenComments', { count: size })}</span>
      <button type="button" className="button" disabled={size === 0} onClick={() => setMoving(true)}>
        {words('moveThem')}
      </button>
      <button type="button" className="plain" onClick={choosing.turn}>
        {words('chooseNoMore')}
      </button>
      {isMoving && (
        <MoveDialog
          topic={topic}
          commentIds={[...choosing.chosen]}
          tags={tags}
          close={() => setMoving(false)}
          onDone={() => {
            setMoving(false)
            choosing.turn()
          }}
        />
      )}
    </div>
  )
}
