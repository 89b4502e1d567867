import type { Block, Doc, Inline, Mark, Node } from '#base/rich-text/document.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import type { SourceView } from '#assistant/contract.ts'

type MarkedNode = Node & { marks?: Mark[] | undefined }

/** Whether an answer may link to a URL, show a picture by its `file:` URL, or mention a member by `member:` and an id. */
export type LinkFilter = (href: string) => boolean

/** Allows the given sources with their pictures, and the URLs in the member's own text. */
export function allowSources(sources: readonly SourceView[], prompts: readonly string[]): LinkFilter {
  const paths = new Set(sources.flatMap(({ path, pictures = [] }) => [path, ...pictures.map((file) => `file:${file}`)]))
  const written = new Set(prompts.flatMap(addressesIn))
  return (href) => paths.has(href) || written.has(withoutEnd(href))
}

/** Allows the targets in a text of members, for texts generated from it. */
export function allowLinksIn(text: string): LinkFilter {
  const written = allowSources([], [text])
  return (href) => (/^\w+:\d+$/.test(href) ? text.includes(`](${href})`) : text.includes(href) || written(href))
}

function addressesIn(text: string): string[] {
  return (text.match(/https?:\/\/[^\s<>"'`)\]}，。；、（）「」]+/giu) ?? []).map(withoutEnd)
}

function withoutEnd(address: string): string {
  return address.replace(/[.,;:!?/]+$/, '')
}

/**
 * Converts an answer to a document. Only allowed links and pictures are kept, files are dropped, and HTML becomes text: whatever a post
 * tells a model to write has no effect.
 */
export function documentOf(answer: string, allows: LinkFilter): Doc {
  return allowedOnly(fromMarkdown(answer, { hides: false }), allows)
}

/** The same for a document. */
export function allowedOnly({ content }: Doc, allows: LinkFilter): Doc {
  return { type: 'doc', content: content.map((block) => blockWith(block, allows)) }
}

/** The same as Markdown, for storage. */
export function safeMarkdown(answer: string, allows: LinkFilter): string {
  return toMarkdown(documentOf(answer, allows))
}

function blockWith(block: Block, allows: LinkFilter): Block {
  if (block.type === 'image' && allows(`file:${block.attrs.file}`)) return block
  if (block.type === 'image') return { type: 'paragraph', content: textOf(block.attrs.alt) }
  if (block.type === 'file') return { type: 'paragraph', content: textOf(block.attrs.name) }
  return cleaned(block, allows) as Block
}

function textOf(text: string): Inline[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function cleaned(node: Node, allows: LinkFilter): Node {
  if (node.type === 'image' || node.type === 'file') return blockWith(node as Block, allows)
  // An answer mentions no one; an improved draft keeps its author's mentions.
  if (node.type === 'mention')
    return allows(`member:${String(node.attrs?.['id'])}`) ? node : { type: 'text', text: `@${String(node.attrs?.['label'])}` }
  if (node.type === 'text') return withoutLinks(node, allows)
  return node.content ? { ...node, content: node.content.map((inner) => cleaned(inner, allows)) } : node
}

function withoutLinks({ marks, ...text }: MarkedNode, allows: LinkFilter): MarkedNode {
  const remaining = marks?.filter((mark) => mark.type !== 'link' || allows(mark.attrs.href))
  return remaining && remaining.length > 0 ? { ...text, marks: remaining } : text
}
