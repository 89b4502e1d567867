import { useEffect, useRef, useState, type ToggleEvent } from 'react'
import { createPortal } from 'react-dom'
import { keepBeside, lineOfCursor } from '#base/web/editor/beside-line.ts'
import { useLater } from '#base/web/later.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/emoji/emoji.module.css'

type EmojiPanelProps = { id: string; choose: (emoji: string) => void }

/**
 * Where emoji are chosen: beside the button that names it by `popoverTarget`, and on a phone at the bottom, or at the top where one writes below.
 * It stands outside of the form that the editor is part of, so that Enter sends nothing, and within the dialog: what lies outside of one that
 * is open takes no touch.
 */
export function EmojiPanel({ id, choose }: EmojiPanelProps) {
  const words = useWords('editor')
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const { here, home, stay } = useHome()
  const part = useLater(
    () => import('#base/web/editor/emoji/emoji-picker.tsx'),
    isOpen && !hasFailed,
    () => setFailed(true),
  )

  function toggled({ newState }: ToggleEvent): void {
    setOpen(newState === 'open')
    stay(undefined)
    if (newState !== 'open' || !panel.current) return
    place(panel.current)
    stay(keepBeside(panel.current, isSheet() ? lineOfCursor() : () => null, () => Math.min(innerHeight * 0.6, 460)))
    // The editor would keep Escape to itself.
    panel.current.focus()
  }

  function take(emoji: string): void {
    panel.current?.hidePopover()
    choose(emoji)
  }

  const shown = (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="dialog"
      aria-label={words('emoji')}
      tabIndex={-1}
      className={css.panel}
      onToggle={toggled}
    >
      {isOpen &&
        (part ? <part.EmojiPicker choose={take} /> : hasFailed ? <Failed retry={() => setFailed(false)} /> : <Skeleton lines={6} />)}
    </div>
  )
  return (
    <>
      <span ref={here} hidden />
      {home && createPortal(shown, home)}
    </>
  )
}

/** The dialog that one writes in, or the page; and how the panel stops keeping its place there. */
function useHome() {
  const here = useRef<HTMLSpanElement>(null)
  const leaves = useRef<() => void>(undefined)
  const [home, setHome] = useState<Element | null>(null)
  useEffect(() => setHome(here.current?.closest('dialog') ?? document.body), [])
  useEffect(() => () => leaves.current?.(), [])

  function stay(leave: (() => void) | undefined): void {
    leaves.current?.()
    leaves.current = leave
  }

  return { here, home, stay }
}

// As the style sheet has it.
function isSheet(): boolean {
  return matchMedia('(max-width: 640px)').matches
}

// Under its button, or above where there is more room. On a phone the style sheet says where.
function place(panel: HTMLElement): void {
  const buttons = document.querySelectorAll<HTMLElement>(`[popovertarget="${CSS.escape(panel.id)}"]`)
  const button = [...buttons].find((one) => one.checkVisibility())?.getBoundingClientRect()
  if (!button) return
  const { offsetHeight: height, offsetWidth: width } = panel
  const isBelow = button.bottom + height + 12 <= innerHeight || button.top < height + 12
  panel.style.setProperty('--left', `${Math.max(8, Math.min(button.left, innerWidth - width - 8))}px`)
  panel.style.setProperty(
    '--top',
    `${Math.max(8, isBelow ? Math.min(button.bottom + 4, innerHeight - height - 8) : button.top - height - 4)}px`,
  )
}
