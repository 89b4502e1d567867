import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments, type Segment } from '#base/rich-text/to-html.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'

/** A page written by staff, as segments, with its summary. */
export type Page = { segments: Segment[]; summary: string }

export function pageFrom(markdown: string): Page {
  const document = fromMarkdown(markdown, { hides: false })
  return { segments: toSegments(document, { picture: () => null, mention: () => null }), summary: summaryOf(document) }
}
