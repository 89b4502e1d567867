import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLoginPath } from '#account/web/account.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { useThread, type ComposerState } from '#comment/web/thread-context.tsx'
import { storePassage, selectedText, type SelectedText } from '#comment/web/passage.ts'
import css from '#comment/web/reading/quoting.module.css'
import { threadPath } from '#kind/contract.ts'

const restMs = 200

type QuoteButtonPosition = { left: number; top: number; selection: SelectedText }

/** The quote button beside a selection in a post. For visitors it leads to login or registration. */
export function Quoting() {
  const { write, mine } = useThread()
  const words = useWords('comment')
  const [place, setPlace] = useState<QuoteButtonPosition | null>(null)
  const look = useEffectEvent(() => setPlace(buttonPosition()))
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined
    function soon(): void {
      clearTimeout(rest)
      rest = setTimeout(() => look(), restMs)
    }
    document.addEventListener('selectionchange', soon)
    // There may be a selection before this module has loaded.
    soon()
    return () => {
      clearTimeout(rest)
      document.removeEventListener('selectionchange', soon)
    }
  }, [])
  const content = document.getElementById('content')
  if (!place || !content) return null
  if (!mine) return createPortal(<VisitorsQuote place={place} />, content)
  return createPortal(
    <button
      type="button"
      className={css.quote}
      style={styleAt(place)}
      onPointerDown={keepSelection}
      onClick={() => {
        quoteSelected(write)
        getSelection()?.removeAllRanges()
      }}
    >
      <Icon name="quote" size={16} />
      {words('quote')}
    </button>,
    content,
  )
}

// The page may become narrower.
const styleAt = ({ left, top }: QuoteButtonPosition) => ({ left: `min(${left}px, 100vw - 104px)`, top })

// A click would clear the selection.
const keepSelection = (event: { preventDefault(): void }) => event.preventDefault()

function VisitorsQuote({ place }: { place: QuoteButtonPosition }) {
  const { topic } = useThread()
  const words = useWords('comment')
  const [query, hash] = formAddress(place.selection)
  const path = threadPath(topic.id, topic.kind)
  const toLogin = useLoginPath(`${path}${query}${hash}`)
  return (
    <Link
      to={toLogin}
      className={css.quote}
      style={styleAt(place)}
      onPointerDown={keepSelection}
      onClick={() => storePassage(path + hash, place.selection.text)}
    >
      <Icon name="quote" size={16} />
      {words('quote')}
    </Link>
  )
}

/** The address of the form in which the selection is quoted: of a comment, or of a reply if it lies in a reply. */
function formAddress({ article }: SelectedText): [query: string, hash: string] {
  const idAt = (kind: string) => article.closest(`[id^="${kind}-"]`)?.id.slice(kind.length + 1)
  const [comment, reply] = [idAt('comment'), idAt('reply')]
  if (!comment) return ['', '#write']
  return reply ? [`&replyId=${reply}`, `#write-reply-${comment}-${reply}`] : [`&commentId=${comment}`, `#write-quote-${comment}`]
}

/** Quotes the selection like the post's own button; in the opening, a comment quotes it. Returns false without a selection. */
export function quoteSelected(write: (writing: ComposerState) => void): boolean {
  const found = selectedText()
  if (!found) return false
  const button = found.article.querySelector<HTMLElement>('[data-action="quote"], [data-action="reply"]:not(:has(~ [data-action="quote"]))')
  if (button) button.click()
  else write({ kind: 'comment', quotes: null, passage: { text: found.text } })
  return true
}

function buttonPosition(): QuoteButtonPosition | null {
  const found = selectedText()
  if (!found) return null
  const { right, bottom } = [...found.range.getClientRects()].at(-1) ?? found.range.getBoundingClientRect()
  return { left: Math.max(8, Math.min(right - 24, innerWidth - 104)) + scrollX, top: bottom + 8 + scrollY, selection: found }
}
