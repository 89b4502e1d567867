import type { Entry } from '#search/server/engine.ts'

/**
 * How the index is made. We send our own tokens with spaces between them, so the server need not know Chinese or English,
 * and finds what PostgreSQL finds.
 */
export const indexMade = {
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

// Keeps the place of a word that says nothing. No token is written so.
const hole = '_'

/** The mark of all that is found under a tag. */
export function under(tagId: string): string {
  return `under ${tagId}`
}

export function documentOf(entry: Entry, now: Date): Record<string, unknown> {
  const { key, kind, marks, topicId, tagId, furtherTagIds, authorId, hasPictures, strong, typed } = entry
  const spaced = (tokens: readonly string[]) => tokens.map((token) => token || hole).join(' ')
  return {
    key,
    // What has several stands here, so that an index made earlier need not be made anew.
    kind: [kind, ...marks, ...[tagId, ...furtherTagIds].map(under)],
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
