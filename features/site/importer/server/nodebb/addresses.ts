import type { OldTarget, TargetOf } from '#importer/server/source.ts'
import { decoded, uploadAt } from '#importer/server/nodebb/uploads.ts'

/** Addresses of NodeBB: `/topic/12/slug/5` is the fifth post of a thread, with the first post as 1. `folder` is where the site lies. */
export const targetOf: TargetOf = (address, { folder = '/' }) => {
  const root = folder.endsWith('/') ? folder : `${folder}/`
  if (!address.pathname.startsWith(root)) return null
  const [kind, id = '', ...rest] = address.pathname.slice(root.length).split('/')
  if (kind === 'assets' || kind === 'uploads') return fileAt(address)
  if (kind === 'tags') return tagNamed(decoded(id))
  if (!isId(id)) return null
  if (kind === 'topic') return threadAt(id, rest)
  const to = targets.get(kind ?? '')
  return to ? { to, id } : null
}

// A member's page has their name in its address; only `/uid/5` has an id.
const targets = new Map<string, 'post' | 'tag' | 'member'>([
  ['post', 'post'],
  ['category', 'tag'],
  ['uid', 'member'],
])

function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text)
}

// Without a slug the number stands in its place.
function threadAt(id: string, [slug = '', place = '']: string[]): OldTarget {
  const number = isId(place) ? place : place === '' && isId(slug) ? slug : null
  return number === null ? { to: 'thread', id } : { to: 'thread', id, number: Number(number) }
}

function tagNamed(name: string | null): OldTarget | null {
  return name ? { to: 'tag', id: `tag/${name}` } : null
}

function fileAt(address: URL): OldTarget | null {
  const path = uploadAt(address.pathname, [])
  return path === null ? null : { to: 'file', id: path }
}
