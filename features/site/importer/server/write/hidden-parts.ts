import { toSegments } from '#base/rich-text/to-html.ts'
import { randomBytes } from 'node:crypto'
import type { Block, Doc, Hidden } from '#base/rich-text/document.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { filesIn, type References } from '#importer/server/write/documents.ts'

/** Cuts the hidden parts out of a document, as saving a post does. */
export async function splitParts(document: Doc, references: References): Promise<{ open: Doc; parts: hiddenPart.Part[] }> {
  const parts: hiddenPart.Part[] = []
  const content: Block[] = []
  for (const block of document.content) {
    if (block.type !== 'hidden') content.push(block)
    else {
      const part = await partOf(block, references)
      parts.push(part)
      content.push({ type: 'hidden', attrs: { id: part.id, lock: part.lock, value: part.needs ?? '' } })
    }
  }
  return { open: { type: 'doc', content }, parts }
}

async function partOf({ attrs: { lock, value }, content = [] }: Hidden, references: References): Promise<hiddenPart.Part> {
  const document: Doc = { type: 'doc', content }
  return {
    id: `h_${randomBytes(12).toString('base64url')}`,
    lock,
    needs: lock === 'password' || lock === 'comment' ? null : value,
    passwordHash: lock === 'password' ? await hashPassword(value) : null,
    document,
    segments: toSegments(document, references),
    fileIds: filesIn(document),
  }
}
