import { z } from 'zod'
import { wholeDocument, type Doc, type Node } from '#base/rich-text/document.ts'

const scheme = /^import:(?:file|member)\/[\w-]{1,64}$/

/** A document of a post: as ours are, with references in place of ids. One that was erased is empty. */
export const referringDocument = z.custom<Doc>((value) => isErased(value) || wholeDocument.safeParse(withIds(value)).success, {
  error: 'is no document of a post',
})

function isErased(value: unknown): boolean {
  const { type, content } = (value ?? {}) as Partial<Node>
  return type === 'doc' && Array.isArray(content) && content.length === 0
}

/** The same with some id for each reference, in order to be checked. A name may be longer than what its author could type. */
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value !== 'object' || value === null) return value
  const { type, attrs, content, ...its } = value as Node
  const known = attrs && { ...attrs }
  if (known && (type === 'image' || type === 'file') && scheme.test(String(known['file']))) known['file'] = 'f'
  if (known && type === 'mention') {
    if (scheme.test(String(known['id']))) known['id'] = '1'
    if (typeof known['label'] === 'string') known['label'] = known['label'].slice(0, 50).toWellFormed()
  }
  return { ...its, type, ...(known && { attrs: known }), ...(content !== undefined && { content: withIds(content) }) }
}
