import type { Doc } from '#base/rich-text/document.ts'
import { documentFrom } from '#base/rich-text/from-markdown.ts'
import type { Finds } from '#base/rich-text/inline-from-markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { blocksAsMarkdown } from '#base/rich-text/to-markdown.ts'

/** More is refused, so that no text can keep a page busy. */
export const longestMarkdown = 200_000

export class MarkdownTooLong extends Error {
  override name = 'MarkdownTooLong'
}

/** The document that a text means. HTML is text, addresses that lead nowhere good are text, and nothing is deeper than the server takes. */
export function fromMarkdown(text: string, finds: Finds = {}): Doc {
  if (text.length > longestMarkdown) throw new MarkdownTooLong()
  return documentFrom(text, finds)
}

/** A text that means exactly this document: `fromMarkdown(toMarkdown(doc))` is `normalise(doc)`. */
export function toMarkdown(doc: Doc): string {
  return blocksAsMarkdown(normalise(doc).content)
}
