import type { Passage } from '#comment/web/thread-context.tsx'

const longest = 1_000

export type SelectedText = { /** The post that contains it. */ article: HTMLElement; text: string; range: Range }

/** The selected text, if it lies within one post. */
export function selectedText(): SelectedText | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const [from, to] = [postOf(range.startContainer), postOf(range.endContainer)]
  const text = selection.toString().trim().slice(0, longest)
  return from && from === to && text ? { article: from, text, range } : null
}

/** The selected text, if it lies within the post of this button. */
export function passageAt(button: Element): { passage?: Passage } {
  const found = selectedText()
  return found && found.article === button.closest('article') ? { passage: { text: found.text } } : {}
}

function postOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement
  return element?.closest('.prose:not([contenteditable])')?.closest<HTMLElement>('#content article') ?? null
}

const storageKey = 'passage'
const maxMinutes = 60

/** Stores the passage that a visitor quotes, across tabs, until they have logged in or registered. */
export function storePassage(place: string, text: string): void {
  localStorage.setItem(storageKey, JSON.stringify({ place, text, at: Date.now() }))
}

/** Returns the stored passage for this form once and removes it. */
export function takePassage(place: string): { passage?: Passage } {
  const found = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as { place?: string; text?: string; at?: number }
  const isOld = Date.now() - (found.at ?? 0) >= maxMinutes * 60_000
  if (isOld || found.place === place) localStorage.removeItem(storageKey)
  return !isOld && found.place === place && found.text ? { passage: { text: found.text } } : {}
}
