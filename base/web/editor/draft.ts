import { hasShape, type Doc } from '#base/rich-text/document.ts'

/** What was being written, in the view it was written in, so that not even a half-typed sign of Markdown is lost. */
export type Draft = { view: 'rich'; doc: Doc } | { view: 'markdown'; text: string }

const prefix = 'draft '
const writers = new Map<string, Set<() => void>>()

/** Keeps a draft on this device. False when there is no room, or when the browser keeps nothing. */
export function keepDraft(draftKey: string, draft: Draft): boolean {
  try {
    localStorage.setItem(prefix + draftKey, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function keptDraft(draftKey: string, isPlain: boolean): Draft | null {
  try {
    return draftIn(JSON.parse(localStorage.getItem(prefix + draftKey) ?? 'null'), isPlain)
  } catch {
    return null // not readable, so not ours
  }
}

/** Drops the draft and empties the editors that were writing it: what they held is sent. */
export function clearDraft(draftKey: string): void {
  forgetDraft(draftKey)
  for (const startAnew of writers.get(draftKey) ?? []) startAnew()
}

export function forgetDraft(draftKey: string): void {
  try {
    localStorage.removeItem(prefix + draftKey)
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

export function whenCleared(draftKey: string, startAnew: () => void): () => void {
  const these = writers.get(draftKey) ?? new Set()
  writers.set(draftKey, these.add(startAnew))
  return () => these.delete(startAnew)
}

function draftIn(kept: unknown, isPlain: boolean): Draft | null {
  if (typeof kept !== 'object' || kept === null) return null
  const { doc, text } = kept as { doc?: Doc; text?: unknown }
  if (typeof text === 'string') return { view: 'markdown', text }
  return doc && hasShape(doc, isPlain) ? { view: 'rich', doc } : null
}
