import type { Doc, Hidden, Node } from '#base/rich-text/document.ts'
import type { Row } from '#importer/server/importer.ts'

/** The hidden parts of a post by their ids. */
export type StoredParts = Readonly<Record<string, { document: Doc; hash: string | null }>>

const left = 'hidden part without its text'

/** A document with references in place of ids. Hidden parts have their text only if they are given, and are empty otherwise. */
export function bodyOf(document: Doc, parts: StoredParts | null = null): Row<'messages'>['body'] {
  const hidden = document.content.filter((block) => block.type === 'hidden')
  const hashes = hidden.flatMap(({ attrs: { id = '' } }) => {
    const hash = parts?.[id]?.hash
    return hash ? [[id, hash] as const] : []
  })
  const content = document.content.map((block) => (block.type === 'hidden' ? withText(block, parts) : block))
  return {
    document: referring({ type: 'doc', content } satisfies Doc) as Doc,
    notes: hidden.some(({ attrs: { id = '' } }) => !parts?.[id]) ? [left] : [],
    partHashes: Object.fromEntries(hashes),
  }
}

function withText({ attrs: { id, lock, value } }: Hidden, parts: StoredParts | null): Hidden {
  const text = parts?.[id ?? '']?.document.content
  const attrs = { ...(id !== undefined && { id }), lock, value: lock === 'password' ? '' : value }
  // One that came from another program may hold nothing.
  return { type: 'hidden', attrs, ...(text && { content: text.length > 0 ? text : [{ type: 'paragraph' }] }) }
}

function referring(node: Node): Node {
  const { type, attrs, content } = node
  if (attrs && (type === 'image' || type === 'file')) return { ...node, attrs: { ...attrs, file: `import:file/${String(attrs['file'])}` } }
  if (attrs && type === 'mention') return { ...node, attrs: { ...attrs, id: `import:member/${String(attrs['id'])}` } }
  return content ? { ...node, content: content.map(referring) } : node
}
