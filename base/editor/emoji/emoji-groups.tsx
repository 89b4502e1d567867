import type { EmojiData } from 'frimousse'
import { useEffect, useState, type RefObject } from 'react'
import { Bar } from '#base/editor/bar.tsx'
import { groupsOf, type EmojiGroup } from '#base/editor/emoji/picker-data.ts'
import css from '#base/editor/emoji/emoji.module.css'

type EmojiGroupsProps = { shelves: EmojiData; view: RefObject<HTMLElement | null>; search: RefObject<HTMLInputElement | null> }

/** Scrolls to a group, from whose first emoji the arrow keys continue; marks the current group. */
export function EmojiGroups({ shelves, view, search }: EmojiGroupsProps) {
  const [groups] = useState(() => groupsOf(shelves))
  const current = useCurrent(view)

  function go(at: number, { firstRow }: EmojiGroup): void {
    const group = view.current && groupsIn(view.current)[at]
    if (!view.current || !group) return
    view.current.scrollBy({ top: topOf(group, view.current), behavior: 'instant' })
    if (!matchMedia('(hover: hover)').matches) return
    search.current?.focus()
    focusRow(view.current, firstRow)
  }

  return (
    <div className={css.groups}>
      <Bar label="emojiGroups">
        {groups.map((shelf, at) => (
          <button
            key={shelf.index}
            type="button"
            title={shelf.label}
            aria-label={shelf.label}
            aria-current={at === current}
            className={css.jump}
            onClick={() => go(at, shelf)}
          >
            {shelf.sign}
          </button>
        ))}
      </Bar>
    </div>
  )
}

/** The index of the group at the top of the viewport. */
function useCurrent(view: RefObject<HTMLElement | null>): number {
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    const box = view.current
    if (!box) return
    const look = () =>
      setCurrent(
        Math.max(
          0,
          groupsIn(box).findLastIndex((group) => topOf(group, box) < 2),
        ),
      )
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [view])
  return current
}

// The picker renders one additional, invisible group for measuring.
function groupsIn(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[frimousse-category]')].filter((group) => !group.closest('[aria-hidden="true"]'))
}

function topOf(group: HTMLElement, box: HTMLElement): number {
  return group.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop
}

const maxFrames = 10

/** The picker renders only visible rows and continues from the pointer's last position. */
function focusRow(box: HTMLElement, row: number, frames = maxFrames): void {
  const sign = box.querySelector(`[role="row"]${row === 0 ? ':not([aria-rowindex])' : `[aria-rowindex="${row}"]`} > [role="gridcell"]`)
  if (sign) sign.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  else if (frames > 0) requestAnimationFrame(() => focusRow(box, row, frames - 1))
}
