import { useEffect, useEffectEvent } from 'react'
import { storeOf } from '#base/web/store.ts'

/** A key, or a sequence of two, that does something on this screen. */
export type Shortcut = {
  /** As in `event.key`: `j`, `?`; a sequence with a space: `g h`. */
  keys: string
  /** The message key of its description. */
  says: string
  run: () => void
  /** Set for keys that act immediately: they are never buffered for content that is not visible yet. Runs when such a key is dropped. */
  tooSoon?: () => void
}

/** Shortcuts listed together in the help. */
export type Group = { /** The message key of the heading. */ title: string; shortcuts: readonly Shortcut[] }

const place = 'shortcuts'
const secondKeyMs = 1_200

export const helpIsOpen = storeOf(false)
export const offered = storeOf<readonly Group[]>([])
/** Whether shortcuts are enabled on this device. */
export const areOn = storeOf(isRemembered())

export function switchShortcuts(on: boolean): void {
  areOn.set(on)
  try {
    if (on) localStorage.removeItem(place)
    else localStorage.setItem(place, 'off')
  } catch {
    // storage is unavailable: the setting holds for this page
  }
}

/** Registers shortcuts while the component is mounted. Their handlers may change between renders; their keys may not. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run())
  const mine = useEffectEvent(() => ({ title, shortcuts: shortcuts.map((one) => ({ ...one, run: () => run(one.keys) })) }))
  useEffect(() => {
    const its = mine()
    offered.set([...offered.get(), its])
    return () => offered.set(offered.get().filter((one) => one !== its))
  }, [])
}

/** Buffers keys while this is true, and replays them in order afterwards. */
export function useKeysWait(isSo: boolean): void {
  useEffect(() => (isSo ? keepKeys() : undefined), [isSo])
}

let works = 0
const kept: string[] = []
let isCatchingUp = false

/** Buffers keys until the returned function is called. */
export function keepKeys(): () => void {
  works++
  return () => {
    works--
    void catchUp()
  }
}

/**
 * A key that opens a text field is followed by text, not commands: buffered keys are typed into it. The same holds for a
 * dialog that asks a question.
 */
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

// The key's effect is rendered, and a dialog it opened has the focus.
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

/** Listens for the registered keys, except during typing, composition or an open dialog. */
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
  // Tab and keys that close a dialog act immediately.
  if (event.key.length !== 1 || event.repeat) return
  event.preventDefault()
  kept.push(event.key)
}

function isPlain({ defaultPrevented, isComposing, keyCode, ctrlKey, metaKey, altKey, repeat, key }: KeyboardEvent): boolean {
  // Some input methods report composition only by this key code.
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
    return true // storage is unavailable
  }
}
