import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { aloneIn, keyOf, withCards } from '#link-preview/server/alone.ts'
import { want } from '#link-preview/server/wanted.ts'
import * as setting from '#setting/server/setting.ts'

type ShownBody = { segments: readonly { html: string }[] }

/**
 * How to show what links that stand alone in these posts lead to. What is not known yet is looked at later, because somebody reads it: a post
 * that waits or was removed, and a part that is hidden, are never among these, and nobody asks for their links.
 */
export async function cardsIn(db: Db, posts: readonly ShownBody[]): Promise<<Post extends ShownBody>(post: Post) => Post> {
  const addresses = new Map(posts.flatMap(({ segments }) => segments.flatMap(({ html }) => aloneIn(html))).map((one) => [keyOf(one), one]))
  if (addresses.size === 0 || !(await setting.all(db)).linkPreviews) return (post) => post
  addCacheTags([...addresses.keys()].map(tagOf))
  const rows = await db
    .selectFrom('link_preview')
    .select(['key', 'address', 'site', 'title', 'try_at'])
    .where('key', '=', anyOf([...addresses.keys()]))
    .execute()
  for (const { key, try_at } of rows) if (try_at > new Date()) addresses.delete(key)
  for (const [key, address] of addresses) want(db, key, address)
  const known = new Map(rows.flatMap(({ address, site, title }) => (title ? [[address, { site: site ?? '', title }] as const] : [])))
  return (post) => ({
    ...post,
    segments: post.segments.map((segment) => ({ ...segment, html: withCards(segment.html, (address) => known.get(address)) })),
  })
}

/** What shows a link is dropped when it becomes known where it leads. */
export function tagOf(key: string): string {
  return `preview:${key}`
}
