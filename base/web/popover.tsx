import { useEffect, useId, useRef, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import { Icon, type IconName } from '#base/web/icon.tsx'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import css from '#base/web/popover.module.css'

type PopoverProps = {
  icon: IconName
  /** With the number of unread items. */
  label: string
  title: string
  /** The page with the whole list. */
  to: string
  /** The badge of the icon; null if nothing is unread. */
  badge: string | null
  load: () => Promise<{ Latest: ComponentType }>
}

/**
 * A button that opens the latest items of a list, loaded on demand. Arrow keys move through the rows, Esc and a click outside close it, and
 * focus returns to the button. On a phone it is a link to the page of the list.
 */
export function Popover({ icon, label, title, to, badge, load }: PopoverProps) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { key } = useLocation()
  useEffect(() => panel.current?.hidePopover(), [key])
  useEffect(() => {
    const over = new AbortController()
    panel.current?.addEventListener('keydown', walk, { signal: over.signal })
    panel.current?.addEventListener('focusout', leave, { signal: over.signal })
    return () => over.abort()
  }, [])

  return (
    <span className={css.holder}>
      <Link to={to} className={`icon ${css.narrow}`} aria-label={label}>
        <Icon name={icon} />
      </Link>
      <button type="button" className={`icon ${css.wide}`} aria-label={label} aria-haspopup="dialog" popoverTarget={id}>
        <Icon name={icon} />
      </button>
      {badge && (
        <span className={css.badge} aria-hidden="true">
          {badge}
        </span>
      )}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title}
        tabIndex={-1}
        className={css.panel}
        onToggle={({ newState, currentTarget, target }) => {
          if (target !== currentTarget) return
          setOpen(newState === 'open')
          if (newState === 'open') currentTarget.focus({ preventScroll: true })
        }}
      >
        {isOpen && <Content load={load} />}
      </div>
    </span>
  )
}

function Content({ load }: Pick<PopoverProps, 'load'>) {
  const { part, hasFailed, retry } = useNeeded(load)
  if (hasFailed) return <Failed retry={retry} />
  return part ? <part.Latest /> : <Skeleton />
}

function walk(this: HTMLElement, event: KeyboardEvent): void {
  const rows = [...this.querySelectorAll<HTMLElement>('li > a')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined || rows.length === 0) return
  event.preventDefault()
  rows.at(to % rows.length)?.focus()
}

function leave(this: HTMLElement, { relatedTarget }: FocusEvent): void {
  if (relatedTarget instanceof Node && !this.contains(relatedTarget)) this.hidePopover()
}
