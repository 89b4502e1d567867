import { toSegments } from '#base/rich-text/to-html.ts'
import { randomBytes } from 'node:crypto'
import type { Block, Doc, Hidden } from '#base/rich-text/document.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import { isStoredHash } from '#base/server/security/imported-password.ts'
import type * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { SourceBody } from '#importer/server/source.ts'
import { filesIn, type References } from '#importer/server/write/documents.ts'

type Found = { references: References; body: Pick<SourceBody, 'partHashes'> }

/** Cuts the hidden parts out of a document, as saving a post does. */
export async function splitParts(tx: Db, document: Doc, { references, body }: Found): Promise<{ open: Doc; parts: hiddenPart.Part[] }> {
  const parts: hiddenPart.Part[] = []
  const taken = await takenIds(tx, document)
  const content: Block[] = []
  for (const block of document.content) {
    if (block.type !== 'hidden') content.push(block)
    else {
      const { id } = block.attrs
      const part = await partOf(block, references, body.partHashes?.[id ?? ''])
      if (id !== undefined && !taken.has(id)) part.id = id
      taken.add(part.id)
      parts.push(part)
      content.push({ type: 'hidden', attrs: { id: part.id, lock: part.lock, value: part.needs ?? '' } })
    }
  }
  return { open: { type: 'doc', content }, parts }
}

/** Parts of this program keep their ids, by which their readers have opened them. */
async function takenIds(tx: Db, document: Doc): Promise<Set<string>> {
  const ids = document.content.flatMap((block) => (block.type === 'hidden' && block.attrs.id ? [block.attrs.id] : []))
  if (ids.length === 0) return new Set()
  const rows = await tx.selectFrom('hidden.part').select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

async function partOf({ attrs: { lock, value }, content = [] }: Hidden, references: References, hash?: string): Promise<hiddenPart.Part> {
  const document: Doc = { type: 'doc', content }
  return {
    id: `h_${randomBytes(12).toString('base64url')}`,
    lock,
    needs: lock === 'password' || lock === 'comment' ? null : value,
    passwordHash: lock === 'password' ? await hashFor(value, hash) : null,
    document,
    segments: toSegments(document, references),
    fileIds: filesIn(document),
  }
}

/** A part whose password is not known is opened by none. */
async function hashFor(password: string, hash: string | undefined): Promise<string> {
  if (hash !== undefined && isStoredHash(hash)) return hash
  return hashPassword(password || randomBytes(24).toString('base64url'))
}
