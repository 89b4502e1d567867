import { useEffect, useEffectEvent } from 'react'
import { createStore } from '#base/web/store.ts'

/** A key, or a sequence of two, that does something on this screen. */
export type Shortcut = {
  /** As in `event.key`: `j`, `?`; a sequence with a space: `g h`. */
  keys: string
  /** The message key of its description. */
  label: string
  run: () => void
  /** Set for keys that act immediately: they are never buffered for content that is not visible yet. Runs when such a key is dropped. */
  onTooSoon?: () => void
}

/** Shortcuts listed together in the help. */
export type ShortcutGroup = { /** The message key of the heading. */ title: string; shortcuts: readonly Shortcut[] }

const storageKey = 'shortcuts'
const secondKeyMs = 1_200

export const helpIsOpen = createStore(false)
export const activeShortcuts = createStore<readonly ShortcutGroup[]>([])
/** Whether shortcuts are enabled on this device. */
export const shortcutsEnabled = createStore(storedSetting())

export function enableShortcuts(on: boolean): void {
  shortcutsEnabled.set(on)
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
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
    activeShortcuts.set([...activeShortcuts.get(), its])
    return () => activeShortcuts.set(activeShortcuts.get().filter((one) => one !== its))
  }, [])
}

/** Buffers keys while this is true, and replays them in order afterwards. */
export function useKeyBuffer(isSo: boolean): void {
  useEffect(() => (isSo ? bufferKeys() : undefined), [isSo])
}

let bufferCount = 0
const buffered: string[] = []
let isReplaying = false

/** Buffers keys until the returned function is called. */
export function bufferKeys(): () => void {
  bufferCount++
  return () => {
    bufferCount--
    void replayKeys()
  }
}

/**
 * A key that opens a text field is followed by text, not commands: buffered keys are typed into it. The same holds for a
 * dialog that asks a question.
 */
async function replayKeys(): Promise<void> {
  if (isReplaying) return
  isReplaying = true
  while (isFree() && buffered.length > 0) {
    await nextFrame()
    if (!isFree()) break
    const key = buffered.shift() ?? ''
    const field = document.activeElement
    if (isText(field)) typeInto(field, key)
    else if (isAnswering()) buffered.length = 0
    else replay(key)
  }
  isReplaying = false
}

function isFree(): boolean {
  return bufferCount === 0
}

function replay(key: string): void {
  const found = matchShortcut(key, performance.now())
  if (found?.onTooSoon) found.onTooSoon()
  else found?.run()
}

// The key's effect is rendered, and a dialog it opened has the focus.
function nextFrame(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
}

let firstKey: { key: string; at: number } | null = null

function matchShortcut(key: string, at: number): Shortcut | undefined {
  const pair = firstKey && at - firstKey.at < secondKeyMs ? `${firstKey.key} ${key}` : null
  const all = activeShortcuts.get().flatMap(({ shortcuts }) => shortcuts)
  const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key)
  firstKey = found ? null : { key, at }
  return found
}

/** Listens for the registered keys, except during typing, composition or an open dialog. */
export function listenForKeys(): () => void {
  function press(event: KeyboardEvent): void {
    if (!isPlain(event) || !shortcutsEnabled.get()) return
    if (bufferCount > 0 || isReplaying) return buffer(event)
    // The help takes a moment to load.
    if (helpIsOpen.get() || isBusy(event.target)) return
    const found = matchShortcut(event.key, event.timeStamp)
    if (!found) return
    event.preventDefault()
    found.run()
  }

  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function buffer(event: KeyboardEvent): void {
  // Tab and keys that close a dialog act immediately.
  if (event.key.length !== 1 || event.repeat) return
  event.preventDefault()
  buffered.push(event.key)
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

function storedSetting(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true // storage is unavailable
  }
}
