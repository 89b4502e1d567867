import { sql, type RawBuilder } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { bodyOf, type StoredParts } from '#exporter/server/body.ts'
import type { Row } from '#importer/server/importer.ts'

/** The columns that posts of every kind share. */
export type StoredPost = {
  id: string
  author_id: string
  body: Doc
  parts: StoredParts | null
  published_at: Date
  edited_at: Date | null
  status: 'published' | 'pending' | 'deleted'
  deleted_by: 'author' | 'staff' | null
  deleted_from: 'pending' | 'published' | null
  deleted_at: Date | null
  deleted_reason: string | null
  purged_at: Date | null
  ai_label: 'author' | 'staff' | null
}

const columns = [
  'id',
  'author_id',
  'body',
  'published_at',
  'edited_at',
  'status',
  'deleted_by',
  'deleted_from',
  'deleted_at',
  'deleted_reason',
  'purged_at',
  'ai_label',
] as const

export function columnsOf(table: 'topic' | 'comment' | 'reply'): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => sql.ref(`${table}.${column}`)),
    sql`, `,
  )
}

export function postRow(id: string, its: StoredPost): Row<'threads'>['opening'] {
  const { author_id: memberId, status: state, deleted_by: by } = its
  return {
    id,
    author: { memberId },
    body: bodyOf(its.body, its.parts),
    publishedAt: its.published_at,
    editedAt: its.edited_at,
    state,
    fileIds: [],
    aiLabel: its.ai_label,
    deletion: by && { by, from: its.deleted_from, at: its.deleted_at, reason: its.deleted_reason },
    isPurged: its.purged_at !== null,
  }
}
