import { useEffect, useRef, useState, type ToggleEvent } from 'react'
import { createPortal } from 'react-dom'
import { replaceKeyboardWith } from '#base/editor/keyboard.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/emoji/emoji.module.css'

type EmojiPanelProps = { id: string; choose: (emoji: string) => void }

/**
 * The emoji panel: beside the button with its `popoverTarget`, and on a phone in place of the keyboard, below the current line.
 * It is outside of the editor's form, so that Enter does not submit it, and inside the dialog, because everything outside of an
 * open modal dialog is inert.
 */
export function EmojiPanel({ id, choose }: EmojiPanelProps) {
  const words = useWords('editor')
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const { here, home, stay } = usePanelContainer()
  const part = useLater(
    () => import('#base/editor/emoji/emoji-picker.tsx'),
    isOpen && !hasFailed,
    () => setFailed(true),
  )

  function toggled({ newState }: ToggleEvent): void {
    setOpen(newState === 'open')
    stay(undefined)
    if (newState !== 'open' || !panel.current) return
    if (isOnPhone()) stay(replaceKeyboard(panel.current))
    else place(panel.current)
    // The editor would consume Escape.
    panel.current.focus()
  }

  function take(emoji: string): void {
    panel.current?.hidePopover()
    choose(emoji)
  }

  const content = (
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
      {home && createPortal(content, home)}
    </>
  )
}

/** The dialog that contains the editor, or the page; and the panel's cleanup function. */
function usePanelContainer() {
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

// The same breakpoint as the style sheet.
function isOnPhone(): boolean {
  return matchMedia('(max-width: 640px)').matches
}

/** Keeps the current line in view, even when a keyboard opens below the panel. */
function replaceKeyboard(panel: HTMLElement): () => void {
  const leave = replaceKeyboardWith(panel)
  const { anchorNode: node } = getSelection() ?? {}
  const line = (node instanceof Element ? node : node?.parentElement)?.closest('[contenteditable="true"] > *')
  const around = new ResizeObserver(() => line?.scrollIntoView({ block: 'nearest', behavior: 'instant' }))
  if (panel.parentElement) around.observe(panel.parentElement)
  return () => {
    around.disconnect()
    leave()
  }
}

// Below its button, or above where there is more space.
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
