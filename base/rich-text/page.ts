import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments, type Segment } from '#base/rich-text/to-html.ts'
import { isBlank, summaryOf } from '#base/rich-text/to-text.ts'

/** A page written by staff, as segments, with its summary. */
export type Page = { segments: Segment[]; summary: string }

/** A text that shows nothing is a page without segments. */
export function pageFrom(markdown: string): Page {
  const document = fromMarkdown(markdown, { hides: false })
  if (isBlank(document)) return { segments: [], summary: '' }
  return { segments: toSegments(document, { picture: () => null, mention: () => null }), summary: summaryOf(document) }
}
