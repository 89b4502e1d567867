import { useEffect, useMemo, useReducer, useRef } from 'react'
import { replaceDraft, currentDraft } from '#base/editor/draft-store.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { srcOf } from '#base/editor/picture-src.ts'
import { Segments } from '#base/web/html.tsx'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { change, drop, msUntil, type Outgoing } from '#message/web/outbox.ts'
import { ownDraftKey } from '#writing/web/writing.tsx'
import css from '#message/web/bubble.module.css'

type Props = {
  item: Outgoing
  /** The site is unreachable. */
  isHeld: boolean
  isFirst: boolean
  /** There is a box to edit it in. */
  mayEdit: boolean
}

/** A message in the outbox: shown at once; a refused one says why, and can be edited or deleted. */
export function OutgoingBubble({ item, isHeld, isFirst, mayEdit }: Props) {
  const words = useWords('message')
  const text = useRef<HTMLDivElement>(null)
  const segments = useMemo(() => segmentsOf(item.body), [item.body])
  const { wrong, asksCaptcha } = item
  const seconds = useSeconds(item)
  return (
    <li className={css.line} data-mine data-going data-first={isFirst || undefined} data-wrong={wrong !== undefined || undefined}>
      <div className={css.bubble}>
        <div ref={text} className={css.text}>
          <Segments segments={segments} />
        </div>
      </div>
      {wrong === undefined ? (
        <p className={css.under} role="status">
          {seconds > 0 ? words('goesIn', { seconds }) : words(asksCaptcha ? 'waitsForCaptcha' : isHeld ? 'waitsForLine' : 'sending')}
        </p>
      ) : (
        <RefusedActions item={item} wrong={wrong} mayEdit={mayEdit} />
      )}
    </li>
  )
}

/** The seconds until it is sent. */
function useSeconds(item: Outgoing): number {
  const [ms, look] = useReducer(() => msUntil(item), item, msUntil)
  useEffect(() => {
    look()
    const timer = item.goesAt ? setInterval(look, 500) : undefined
    return () => clearInterval(timer)
  }, [item.goesAt])
  return Math.ceil(ms / 1_000)
}

function RefusedActions({ item, wrong, mayEdit }: { item: Outgoing; wrong: string; mayEdit: boolean }) {
  const words = useWords('message')
  function again(): void {
    const { wrong: _, goesAt: __, ...rest } = item
    change(rest)
  }
  return (
    <div className={css.refused}>
      <p className="wrong" role="alert">
        <Icon name="warning" size={16} /> {wrong}
      </p>
      <p>
        {mayEdit && (
          <button type="button" className="plain" onClick={() => edit(item)}>
            {words('edit')}
          </button>
        )}
        <button type="button" className="plain" onClick={again}>
          {words('again')}
        </button>
        <button type="button" className="plain" onClick={() => drop(item)}>
          {words('throwAway')}
        </button>
      </p>
    </div>
  )
}

/** Back into the box, after its present text. */
function edit(item: Outgoing): void {
  const draftKey = ownDraftKey(`message ${item.userId}`)
  const { text, known } = currentDraft(draftKey)
  const there = (text as { doc?: Doc } | null)?.doc?.content ?? []
  const doc = { type: 'doc', content: [...there, ...item.body.content] }
  replaceDraft(draftKey, { text: { view: 'rich', doc }, fields: null }, { ...known, isSaved: false })
  drop(item)
}

function segmentsOf(body: Doc) {
  return toSegments(body, {
    picture: ({ file, width, height }) => ({ src: srcOf(file), width, height }),
    attachment: ({ file, name, bytes }) => ({ href: `/file/${file}`, name, bytes }),
    mention: () => null,
  })
}
