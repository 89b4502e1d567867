import { useEffect, useEffectEvent } from 'react'
import { storeOf } from '#base/web/store.ts'

/** A key, or two one after the other, that does something on this screen. */
export type Shortcut = {
  /** As `event.key` has it: `j`, `?`; two with a space between: `g h`. */
  keys: string
  /** The code of the words that say what it does. */
  says: string
  run: () => void
  /** It decides at once, so it is never kept for what has not been seen: this says that it was not heard. */
  tooSoon?: () => void
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
  const mine = useEffectEvent(() => ({ title, shortcuts: shortcuts.map((one) => ({ ...one, run: () => run(one.keys) })) }))
  useEffect(() => {
    const its = mine()
    offered.set([...offered.get(), its])
    return () => offered.set(offered.get().filter((one) => one !== its))
  }, [])
}

/** Keys that are pressed while this is so wait until the page stands again; then they are done in their order. */
export function useKeysWait(isSo: boolean): void {
  useEffect(() => (isSo ? keepKeys() : undefined), [isSo])
}

let works = 0
const kept: string[] = []
let isCatchingUp = false

/** The page works: keys are kept until what is given back is called. */
export function keepKeys(): () => void {
  works++
  return () => {
    works--
    void catchUp()
  }
}

/** What leads into a text is followed by text: what was typed there before it stood is no command. Nor is it one in a dialog that asks something else. */
async function catchUp(): Promise<void> {
  if (isCatchingUp) return
  isCatchingUp = true
  while (isFree() && kept.length > 0) {
    await drawn()
    if (!isFree()) break
    const key = kept.shift() ?? ''
    const field = document.activeElement
    if (isText(field)) typeInto(field, key)
    else if (isAnswering()) kept.length = 0
    else doKept(key)
  }
  isCatchingUp = false
}

function isFree(): boolean {
  return works === 0
}

function doKept(key: string): void {
  const found = meant(key, performance.now())
  if (found?.tooSoon) found.tooSoon()
  else found?.run()
}

// What a key did is on the page, and a dialog that it opened has the focus.
function drawn(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
}

let before: { key: string; at: number } | null = null

function meant(key: string, at: number): Shortcut | undefined {
  const pair = before && at - before.at < secondKeyMs ? `${before.key} ${key}` : null
  const all = offered.get().flatMap(({ shortcuts }) => shortcuts)
  const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key)
  before = found ? null : { key, at }
  return found
}

/** Listens for the keys that are offered; never while somebody types, composes or answers a dialog. */
export function listenForKeys(): () => void {
  function press(event: KeyboardEvent): void {
    if (!isPlain(event) || !areOn.get()) return
    if (works > 0 || isCatchingUp) return keep(event)
    if (isBusy(event.target)) return
    const found = meant(event.key, event.timeStamp)
    if (!found) return
    event.preventDefault()
    found.run()
  }

  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function keep(event: KeyboardEvent): void {
  // Who moves about by Tab or closes a dialog does so now.
  if (event.key.length !== 1 || event.repeat) return
  event.preventDefault()
  kept.push(event.key)
}

function isPlain({ defaultPrevented, isComposing, keyCode, ctrlKey, metaKey, altKey, repeat, key }: KeyboardEvent): boolean {
  // Some input methods say only by this number that they are composing.
  if (defaultPrevented || isComposing || keyCode === 229 || ctrlKey || metaKey || altKey) return false
  return !repeat || key === 'j' || key === 'k'
}

type Text = HTMLInputElement | HTMLTextAreaElement

function isText(field: Element | null): field is Text {
  return field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.selectionStart !== null)
}

function typeInto(field: Text, key: string): void {
  field.setRangeText(key, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: key, inputType: 'insertText' }))
}

function isAnswering(): boolean {
  return document.querySelector('dialog:modal, [popover="auto"]:popover-open') !== null
}

function isBusy(target: EventTarget | null): boolean {
  if (isAnswering()) return true
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null)
}

function isRemembered(): boolean {
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    return true // storage is closed to us
  }
}
