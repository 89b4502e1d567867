import type { Db } from '#base/server/database/database.ts'
import type { FilterNames, ListFilters } from '#batch/server/batch.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

const idPattern = /^[1-9]\d{0,17}$/

/** The names of authors and tags in the filters of batches. */
export async function filterLabels(db: Db, all: readonly ListFilters[]): Promise<FilterNames> {
  if (all.length === 0) return () => null
  const ids = all.flatMap(({ author }) => (author && idPattern.test(author) ? [author] : []))
  const authors = await user.authors(db, ids)
  const places = await tag.places(db)
  return (narrowed, filter) => {
    const value = narrowed[filter] ?? ''
    if (filter === 'tagId') return places.get(value)?.name ?? null
    const author = filter === 'author' ? authors.get(value)?.name : undefined
    return author ? { zh: author, en: author } : null
  }
}
