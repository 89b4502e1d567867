import type { Doc } from '#base/rich-text/document.ts'
import { documentFrom } from '#base/rich-text/from-markdown.ts'
import type { MarkdownLookups } from '#base/rich-text/inline-from-markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { blocksAsMarkdown } from '#base/rich-text/to-markdown.ts'

/** A longer text is refused, so that it cannot block a page. */
export const maxMarkdownLength = 200_000

export class MarkdownTooLong extends Error {
  override name = 'MarkdownTooLong'
}

/** The document of a Markdown text. HTML and links with unsafe targets are text, and the nesting stays within the server's limit. */
export function fromMarkdown(text: string, lookups: MarkdownLookups = {}): Doc {
  if (text.length > maxMarkdownLength) throw new MarkdownTooLong()
  return documentFrom(text, lookups)
}

/** Markdown that round-trips: `fromMarkdown(toMarkdown(doc))` equals `normalise(doc)`. */
export function toMarkdown(doc: Doc): string {
  return blocksAsMarkdown(normalise(doc).content)
}
