import { textOf } from '#base/rich-text/text-of-html.ts'
import { documentOf, textPieces } from '#importer/server/body/pieces.ts'
import type { SourceAuthor, SourceBody, SourcePost } from '#importer/server/source.ts'
import { bodiesOf, writtenText } from '#importer/server/nodebb/bodies.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import { flag, id, time, type Fields, type KeyStore } from '#importer/server/nodebb/store.ts'

/** A stored post with its id, and the time of its place for a post that lost its own. */
export type Stored = { pid: string; fields: Fields; placedAt?: string | undefined }

/** Reads some posts, with the authors and mentions of all looked up at once. */
export async function postsOf(site: Site, posts: readonly Stored[]): Promise<Map<string, SourcePost>> {
  const [authors, bodies] = await Promise.all([authorsOf(site.store, posts), bodiesOf(site, posts.map(sourceOf))])
  return new Map(
    posts.map(({ pid, fields, placedAt }, at): [string, SourcePost] => [
      pid,
      {
        id: pid,
        author: authors[at] ?? { guestName: '' },
        body: isHtml(pid, fields) ? plainBody(fields['content'] ?? '') : (bodies[at] ?? plainBody('')),
        publishedAt: time(fields['timestamp']) ?? time(placedAt) ?? new Date(0),
        editedAt: time(fields['edited']),
        state: flag(fields['deleted']) ? 'deleted' : 'published',
        fileIds: [],
      },
    ]),
  )
}

/** The existing posts among some ids. */
export async function storedPosts(store: KeyStore, pids: readonly string[]): Promise<Map<string, Stored>> {
  const objects = await store.objects(pids.map((pid) => `post:${pid}`))
  return new Map(
    pids.flatMap((pid, at) => {
      const fields = objects[at]
      return fields ? [[pid, { pid, fields }] as const] : []
    }),
  )
}

function sourceOf({ pid, fields }: Stored): string {
  return isHtml(pid, fields) ? '' : writtenText(fields)
}

function isHtml(pid: string, fields: Fields): boolean {
  return id(pid) === null && !fields['sourceContent']
}

function plainBody(html: string): SourceBody {
  return { document: documentOf(textPieces(textOf([{ html }]))), notes: html === '' ? [] : ['format of a post from another server'] }
}

/** Members who are gone have no name any more; people of other servers keep theirs. */
async function authorsOf(store: KeyStore, posts: readonly Stored[]): Promise<SourceAuthor[]> {
  const keys = [...new Set(posts.flatMap(({ fields }) => keyOf(fields) ?? []))]
  const objects = await store.objects(keys)
  const accounts = new Map(keys.map((key, at) => [key, objects[at] ?? null]))
  return posts.map(({ fields }) => {
    const account = accounts.get(keyOf(fields) ?? '')
    const memberId = id(fields['uid'])
    if (memberId !== null && account) return { memberId }
    return { guestName: account?.['username'] ?? account?.['fullname'] ?? fields['handle'] ?? '' }
  })
}

function keyOf({ uid }: Fields): string | null {
  if (id(uid) !== null) return `user:${uid}`
  return uid?.includes(':') ? `userRemote:${uid}` : null
}
