import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import type { Block, Doc, Hidden, Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { OnlyInTopics, PartGone, PasswordNeeded } from '#hidden-part/contract.ts'
import { requireAllowed } from '#hidden-part/server/may.ts'
import type { PartOutline, Part, PostRef } from '#hidden-part/server/part.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

type ExtractOptions = {
  by: Member
  kind: Kind
  thread?: ThreadKind
  /** The current place of the post; null for a new one. */
  post: PostRef | null
  document: Doc
  at?: Date | undefined
}

/** Splits a document into its public text and its hidden parts. Refuses locks that this member may not set, and parts of other posts. */
export async function extract(db: Db, options: ExtractOptions): Promise<{ open: Doc; parts: Part[] }> {
  const { document, post } = options
  const blocks = document.content.filter((block) => block.type === 'hidden')
  if (blocks.length === 0) return { open: document, parts: [] }
  const stored = post ? await outlinesOf(db, post) : new Map<string, PartOutline>()
  const ids = idsFor(blocks, stored)
  await requireAllowed(
    db,
    options,
    blocks.map((block, index) => ({ ...block.attrs, isNew: !!block.content, before: stored.get(ids[index] ?? '') })),
  )
  const parts: Part[] = []
  for (const [index, block] of blocks.entries()) parts.push(await partOf(block, ids[index] ?? '', stored, options))
  const placeholders = parts.map(placeholderOf)
  const content = document.content.map((block): Block => (block.type === 'hidden' ? (placeholders.shift() ?? block) : block))
  return { open: { type: 'doc', content }, parts }
}

/** The public properties of the parts stored there, those of a waiting edit included. */
async function outlinesOf(db: Db, { topicId, commentId }: PostRef): Promise<Map<string, PartOutline>> {
  const { rows } = await sql<PartOutline & { id: string }>`
    select id, lock, needs from hidden.properties(${commentId ? null : topicId}::bigint, ${commentId ?? null}::bigint)`.execute(db)
  return new Map(rows.map(({ id, ...known }) => [id, known]))
}

/** The kinds of locks in a public document, without duplicates. */
export function locksIn(open: Doc): Lock[] {
  return [...new Set(open.content.flatMap((block) => (block.type === 'hidden' ? block.attrs.lock : [])))]
}

// A part keeps its id, so that it stays open for its buyers with the new text. A copied part gets a new id.
function idsFor(blocks: readonly Hidden[], stored: ReadonlyMap<string, PartOutline>): string[] {
  const used = new Set<string>()
  return blocks.map(({ attrs: { id } }) => {
    const own = id && stored.has(id) && !used.has(id) ? id : `h_${randomBytes(12).toString('base64url')}`
    used.add(own)
    return own
  })
}

async function partOf(
  { attrs, content }: Hidden,
  id: string,
  stored: ReadonlyMap<string, PartOutline>,
  options: ExtractOptions,
): Promise<Part> {
  const before = stored.get(id)
  const nothing = { id, passwordHash: null, segments: [], fileIds: [] }
  if (!content) {
    if (!before) throw PartGone()
    return { ...nothing, lock: before.lock, needs: before.needs, document: null }
  }
  if (!before && (options.kind !== 'topic' || options.thread !== 'topic')) throw OnlyInTopics()
  const { lock, value } = attrs
  if (lock === 'password' && value === '' && before?.lock !== 'password') throw PasswordNeeded()
  const passwordHash = lock === 'password' && value !== '' ? await account.hashPassword(value) : null
  const needs = lock === 'password' || lock === 'comment' ? null : value
  return { ...nothing, lock, needs, passwordHash, document: { type: 'doc', content } }
}

function placeholderOf({ id, lock, needs }: Part): Hidden {
  return { type: 'hidden', attrs: { id, lock, value: needs ?? '' } }
}
