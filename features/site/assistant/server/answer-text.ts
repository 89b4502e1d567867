import { citeSources, mayCite } from '#assistant/citations.ts'
import type { SourceView } from '#assistant/contract.ts'
import { allowedOnly, type LinkFilter } from '#assistant/links.ts'
import { markdownOf, parseMarkdown } from '#base/server/long-text.ts'

/** An answer as Markdown for storage: with allowed links alone, and marks that lead to its sources. */
export async function answerMarkdown(answer: string, allows: LinkFilter, sources: readonly SourceView[] | null): Promise<string> {
  const doc = allowedOnly(await parseMarkdown(answer), allows)
  return markdownOf(sources === null || !mayCite(answer) ? doc : citeSources(doc, sources))
}
