import { useEffect, useEffectEvent } from 'react'
import { storeOf } from '#base/web/store.ts'

/** A key, or two one after the other, that does something on this screen. */
export type Shortcut = {
  /** As `event.key` has it: `j`, `?`; two with a space between: `g h`. */
  keys: string
  /** The code of the words that say what it does. */
  says: string
  run: () => void
}

/** Keys that belong together. */
export type Group = { /** The code of the words above them. */ title: string; shortcuts: readonly Shortcut[] }

const place = 'shortcuts'
const secondKeyMs = 1_200

export const helpIsOpen = storeOf(false)
export const offered = storeOf<readonly Group[]>([])
/** Whether keys do something on this device. */
export const areOn = storeOf(isRemembered())

export function switchShortcuts(on: boolean): void {
  areOn.set(on)
  try {
    if (on) localStorage.removeItem(place)
    else localStorage.setItem(place, 'off')
  } catch {
    // storage is closed to us: it holds for this page
  }
}

/** Offers these keys for as long as the component is on the page. What they do may change with each render; which they are may not. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run())
  const mine = useEffectEvent(() => ({ title, shortcuts: shortcuts.map(({ keys, says }) => ({ keys, says, run: () => run(keys) })) }))
  useEffect(() => {
    const its = mine()
    offered.set([...offered.get(), its])
    return () => offered.set(offered.get().filter((one) => one !== its))
  }, [])
}

/** Listens for the keys that are offered; never while somebody types, composes or answers a dialog. */
export function listenForKeys(): () => void {
  let before: { key: string; at: number } | null = null

  function press(event: KeyboardEvent): void {
    if (!isPlain(event) || isBusy(event.target) || !areOn.get()) return
    const pair = before && event.timeStamp - before.at < secondKeyMs ? `${before.key} ${event.key}` : null
    const all = offered.get().flatMap(({ shortcuts }) => shortcuts)
    const meant = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === event.key)
    before = meant ? null : { key: event.key, at: event.timeStamp }
    if (!meant) return
    event.preventDefault()
    meant.run()
  }

  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function isPlain({ defaultPrevented, isComposing, keyCode, ctrlKey, metaKey, altKey, repeat, key }: KeyboardEvent): boolean {
  // Some input methods say only by this number that they are composing.
  if (defaultPrevented || isComposing || keyCode === 229 || ctrlKey || metaKey || altKey) return false
  return !repeat || key === 'j' || key === 'k'
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog:modal, [popover="auto"]:popover-open')) return true
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null)
}

function isRemembered(): boolean {
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    return true // storage is closed to us
  }
}
