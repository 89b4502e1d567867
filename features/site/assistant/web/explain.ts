import { propose } from '#assistant/web/conversation.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'

/** Puts code of a post into the assistant's box, with a question to explain it. */
export function explain(question: string, code: string, language: string): void {
  const text = code.replace(/\n$/, '')
  const block = toMarkdown({
    type: 'doc',
    content: [{ type: 'codeBlock', attrs: { language }, ...(text && { content: [{ type: 'text', text }] }) }],
  })
  propose(`${question}\n\n${block}`)
}
