import type { AiLabelView } from '#ai-label/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { State } from '#content/views.ts'
import type { AuthorView } from '#user/contract.ts'
import * as writing from '#writing/server/writing.ts'

/** A row of any kind of post. */
export type PostRow = {
  id: string
  author_id: string
  state: State
  deleted_reason: string | null
  deleted_at: Date | null
  published_at: Date
  edited_at: Date | null
  edited_by: string | null
  version: number
  ai_label: string | null
  segments: unknown
}

export function postView(row: PostRow, people: ReadonlyMap<string, AuthorView>) {
  const author = people.get(row.author_id)
  if (!author) throw new Error(`What is numbered ${row.id} is by nobody`)
  return {
    id: row.id,
    author,
    state: row.state,
    reason: row.deleted_reason,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    publishedAt: row.published_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    editedBy: people.get(row.edited_by ?? '') ?? null,
    version: row.version,
    aiLabel: row.ai_label as AiLabelView,
    segments: writing.withNames(row.segments as Segment[], people),
  }
}
