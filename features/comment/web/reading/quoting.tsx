import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { useDesk, type Writing } from '#comment/web/desk.tsx'
import { selected } from '#comment/web/passage.ts'
import css from '#comment/web/reading/quoting.module.css'

const restMs = 200

type Place = { left: number; top: number }

/** Beside words that one selected in a post: the way to quote them. */
export function Quoting() {
  const { write } = useDesk()
  const words = useWords('comment')
  const [place, setPlace] = useState<Place | null>(null)
  const look = useEffectEvent(() => setPlace(placeNow()))
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined
    function soon(): void {
      clearTimeout(rest)
      rest = setTimeout(() => look(), restMs)
    }
    document.addEventListener('selectionchange', soon)
    return () => {
      clearTimeout(rest)
      document.removeEventListener('selectionchange', soon)
    }
  }, [])
  if (!place) return null
  return createPortal(
    <button
      type="button"
      className={css.quote}
      style={place}
      // It would take the selection away.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        quoteSelected(write)
        getSelection()?.removeAllRanges()
      }}
    >
      <Icon name="quote" size={16} />
      {words('quote')}
    </button>,
    document.body,
  )
}

/** Quotes what is selected, as the post's own button does; of the opening a comment does. False where nothing is selected. */
export function quoteSelected(write: (writing: Writing) => void): boolean {
  const found = selected()
  if (!found) return false
  const button = found.article.querySelector<HTMLElement>('[data-deed="quote"], [data-deed="reply"]:not(:has(~ [data-deed="quote"]))')
  if (button) button.click()
  else write({ kind: 'comment', quotes: null, passage: { text: found.text } })
  return true
}

function placeNow(): Place | null {
  const found = selected()
  if (!found) return null
  const { right, bottom } = [...found.range.getClientRects()].at(-1) ?? found.range.getBoundingClientRect()
  return { left: Math.max(8, Math.min(right - 24, innerWidth - 104)) + scrollX, top: bottom + 8 + scrollY }
}
