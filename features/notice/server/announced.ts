import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'
import type { AnnouncedView } from '#notice/contract.ts'

export type Texts = { text_zh: string; text_en: string }

/** What everybody is told, as pages show it. What was written in one language stands for both. */
export function announced({ text_zh, text_en }: Texts): AnnouncedView {
  return { kind: 'announcement', zh: rendered(text_zh || text_en), en: rendered(text_en || text_zh) }
}

/** How it begins, on one line. */
export function beginning(markdown: string): string {
  return summaryOf(fromMarkdown(markdown), 120)
}

function rendered(markdown: string): AnnouncedView['zh'] {
  return toSegments(fromMarkdown(markdown), { picture: () => null, mention: () => null }).map(({ html }) => ({ html }))
}
