import type { Entry } from '#search/server/engine.ts'

/**
 * The definition of the index. Tokens are produced by the application and joined by spaces, so that the server needs no analysis of
 * Chinese or English, and finds the same as PostgreSQL.
 */
export const indexDefinition = {
  settings: { index: { refresh_interval: '1s' } },
  mappings: {
    dynamic: 'strict',
    properties: {
      key: { type: 'keyword' },
      kind: { type: 'keyword' },
      topicId: { type: 'keyword' },
      tagId: { type: 'keyword' },
      authorId: { type: 'keyword' },
      publishedAt: { type: 'date', format: 'epoch_millis' },
      writtenAt: { type: 'date', format: 'epoch_millis' },
      hasPictures: { type: 'boolean' },
      title: { type: 'text', analyzer: 'whitespace', norms: false },
      words: { type: 'text', analyzer: 'whitespace', norms: false },
      strong: { type: 'keyword' },
      typed: { type: 'keyword' },
    },
  },
}

// Stands for a stop word. No token has this form.
const stopWordToken = '_'

/** The `kind` value of entries with this tag. */
export function tagKind(tagId: string): string {
  return `under ${tagId}`
}

export function documentOf(entry: Entry, now: Date): Record<string, unknown> {
  const { key, kind, marks, topicId, tagId, furtherTagIds, authorId, hasPictures, strong, typed } = entry
  const spaced = (tokens: readonly string[]) => tokens.map((token) => token || stopWordToken).join(' ')
  return {
    key,
    // All multi-valued properties are in this field, so that an existing index need not be rebuilt.
    kind: [kind, ...marks, ...[tagId, ...furtherTagIds].map(tagKind)],
    topicId,
    tagId,
    authorId,
    hasPictures,
    strong,
    typed,
    publishedAt: entry.publishedAt.getTime(),
    writtenAt: now.getTime(),
    title: spaced(entry.title),
    words: spaced(entry.words),
  }
}
