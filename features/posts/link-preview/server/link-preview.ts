import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { loneLinks, keyOf, withCards } from '#link-preview/server/lone-links.ts'
import { requestPreview } from '#link-preview/server/requested-previews.ts'
import * as setting from '#setting/server/setting.ts'

type ShownBody = { segments: readonly { html: string }[] }

/**
 * Returns a function that adds cards to the links that stand alone in these posts. Unknown previews are fetched later by a job,
 * because a reader requested the page: pending or removed posts and hidden parts are never passed here, so their links are never
 * fetched.
 */
export async function cardsIn(db: Db, posts: readonly ShownBody[]): Promise<<Post extends ShownBody>(post: Post) => Post> {
  const addresses = new Map(
    posts.flatMap(({ segments }) => segments.flatMap(({ html }) => loneLinks(html))).map((one) => [keyOf(one), one]),
  )
  if (addresses.size === 0 || !(await setting.all(db)).linkPreviews) return (post) => post
  addCacheTags([...addresses.keys()].map(cacheTagOf))
  const rows = await db
    .selectFrom('link_preview')
    .select(['key', 'address', 'site', 'title', 'try_at'])
    .where('key', '=', anyOf([...addresses.keys()]))
    .execute()
  for (const { key, try_at } of rows) if (try_at > new Date()) addresses.delete(key)
  for (const [key, address] of addresses) requestPreview(db, key, address)
  const known = new Map(rows.flatMap(({ address, site, title }) => (title ? [[address, { site: site ?? '', title }] as const] : [])))
  return (post) => ({
    ...post,
    segments: post.segments.map((segment) => ({ ...segment, html: withCards(segment.html, (address) => known.get(address)) })),
  })
}

/** The cache tag of responses with this link, invalidated once its preview is known. */
export function cacheTagOf(key: string): string {
  return `preview:${key}`
}
