import { decoded } from '#importer/server/nodebb/uploads.ts'
import type { OldTarget, TargetOf } from '#importer/server/source.ts'

const postsPerPage = 20

/**
 * Addresses of Flarum: `/d/12-slug/8` is the post of number 8, also with another slug or none; tags and members stand with their slugs. What an
 * address in this form means is told by `tag/SLUG` and `users` in the rules.
 */
export const targetOf: TargetOf = ({ pathname, searchParams }, rules) => {
  const file = decoded(/\/assets\/files\/(.+)$/.exec(pathname)?.[1] ?? '')
  if (file) return { to: 'file', id: file }
  const [, kind, written = '', rest = ''] = /(?:^|\/)([dtu])\/([^/]+)(?:\/([^/]*))?\/?$/.exec(pathname) ?? []
  const name = decoded(written)
  if (!name) return null
  if (kind === 'd') return threadAt(name, rest || (searchParams.get('near') ?? ''), searchParams.get('page') ?? '')
  if (kind === 't') return rest === '' ? tagAt(rules[`tag/${name}`]) : null
  if (rules['users'] !== 'id') return { to: 'name', id: name }
  return isId(name) ? { to: 'member', id: name } : null
}

function threadAt(slug: string, near: string, page: string): OldTarget | null {
  const id = /^([1-9]\d{0,14})(?:-|$)/.exec(slug)?.[1]
  if (id === undefined) return null
  if (isNumber(near)) return { to: 'thread', id, number: Number(near) }
  return isNumber(page) ? { to: 'thread', id, place: (Number(page) - 1) * postsPerPage } : { to: 'thread', id }
}

function tagAt(id: string | undefined): OldTarget | null {
  return id === undefined ? null : { to: 'tag', id }
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}

function isNumber(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text)
}
