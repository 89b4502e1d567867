import { hasShape } from '#base/rich-text/check-document.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { currentDraft, storeText } from '#base/editor/draft-store.ts'

/** The unsent text in the view in which it was typed, so that even half-typed Markdown survives. */
export type Draft = { view: 'rich'; doc: Doc } | { view: 'markdown'; text: string }

/** Stores a draft on this device. False on failure. */
export function storeDraft(draftKey: string, draft: Draft): boolean {
  return storeText(draftKey, draft)
}

export function storedDraft(draftKey: string, isPlain: boolean): Draft | null {
  const stored = currentDraft(draftKey).text
  if (typeof stored !== 'object' || stored === null) return null
  const { doc, text } = stored as { doc?: Doc; text?: unknown }
  if (typeof text === 'string') return text.length > maxMarkdownLength ? null : { view: 'markdown', text }
  return doc && hasShape(doc, { isPlain }) ? { view: 'rich', doc } : null
}
