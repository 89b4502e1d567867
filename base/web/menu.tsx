import { useId, useRef, type ComponentProps, type KeyboardEvent, type ReactNode, type ToggleEvent } from 'react'
import { Link } from '#base/web/link.tsx'
import { Icon, type IconName } from '#base/web/icon.tsx'
import css from '#base/web/menu.module.css'

/** A button that opens a menu. Arrow keys move through it, Esc and a click outside close it, and focus returns to the button. */
export function Menu({ label, icon = 'more', children }: { label: string; icon?: IconName; children: ReactNode }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  function place({ newState }: ToggleEvent): void {
    if (newState !== 'open' || !button.current || !list.current) return
    const { bottom, top, left, right } = button.current.getBoundingClientRect()
    const { offsetHeight, offsetWidth, style } = list.current
    const isOnTheLeft = left + right < innerWidth
    style.left = `${isOnTheLeft ? Math.max(8, left) : Math.max(8, Math.min(right, innerWidth - 8) - offsetWidth)}px`
    style.top = `${bottom + offsetHeight + 8 > innerHeight && top > offsetHeight ? top - offsetHeight - 4 : bottom + 4}px`
    itemsIn(list.current)[0]?.focus()
  }

  return (
    <>
      <button ref={button} type="button" className="icon" aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        <Icon name={icon} />
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={css.menu}
        onToggle={place}
        onKeyDown={walk}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

export function MenuButton({ danger, ...button }: ComponentProps<'button'> & { danger?: boolean }) {
  return <button type="button" role="menuitem" tabIndex={-1} className={danger ? css.danger : undefined} {...button} />
}

export function MenuLink(link: ComponentProps<typeof Link>) {
  return <Link role="menuitem" tabIndex={-1} {...link} />
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsIn(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

function itemsIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')]
}
