import type { Block } from '#base/rich-text/document.ts'
import type { SourceThread } from '#importer/server/source.ts'

const maxTitle = 90

/** A title as ours are: on one line, not empty, and not too long. */
export function titleOf(thread: SourceThread): string {
  return [...lineOf(thread)].slice(0, maxTitle).join('').trim() || `#${thread.id}`
}

function lineOf({ title }: SourceThread): string {
  return title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

export function isLong(thread: SourceThread): boolean {
  return [...lineOf(thread)].length > maxTitle
}

/** The opening, with a title that had to be cut above the text. */
export function withWholeTitle(thread: SourceThread, opening: SourceThread['opening']): SourceThread['opening'] {
  if (!isLong(thread)) return opening
  const title: Block = { type: 'paragraph', content: [{ type: 'text', text: lineOf(thread), marks: [{ type: 'bold' }] }] }
  return { ...opening, body: { ...opening.body, document: { type: 'doc', content: [title, ...opening.body.document.content] } } }
}
