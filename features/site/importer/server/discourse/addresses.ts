import { fileIdAt } from '#importer/server/discourse/upload-address.ts'
import type { OldTarget, TargetOf } from '#importer/server/source.ts'

/**
 * Addresses of Discourse: `/t/slug/12/5` and `/t/12/5` are the post of this number in a topic. `folder` is where the site lies; a rule such
 * as `c/slug` has the id of a category.
 */
export const targetOf: TargetOf = ({ pathname }, rules) => {
  const path = pathOf(pathname, rules['folder'] ?? '/')
  const fileId = path === null ? null : fileIdAt(`/${path}`)
  if (fileId !== null) return { to: 'file', id: fileId }
  const [kind = '', ...parts] = (path ?? '')
    .replace(/\.(?:json|rss)$/, '')
    .split('/')
    .filter(Boolean)
  const [first = ''] = parts
  if (kind === 't') return threadAt(parts)
  if (kind === 'p') return isId(first) ? { to: 'post', id: first } : null
  if (kind === 'c' || kind === 'category') return categoryAt(parts, rules)
  if ((kind === 'tag' || kind === 'tags') && first !== '') return { to: 'tag', id: `tag/${first}` }
  return ['u', 'users', 'user'].includes(kind) && first !== '' ? { to: 'name', id: first } : null
}

/** The path within the folder of the site. */
function pathOf(pathname: string, folder: string): string | null {
  try {
    const path = decodeURIComponent(pathname)
    return path.slice(path.startsWith(folder) ? folder.length : 1)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text)
}

const behindAll = 99_999_999

/** A slug is never a number, and may be missing. */
function threadAt(parts: readonly string[]): OldTarget | null {
  const [threadId, number] = isId(parts[0]) ? parts : parts.slice(1)
  if (!isId(threadId)) return null
  if (number === 'last') return { to: 'thread', id: threadId, number: behindAll }
  return isId(number) ? { to: 'thread', id: threadId, number: Number(number) } : { to: 'thread', id: threadId }
}

const lists = new Set(['l', 'none', 'all'])

/** The id stands behind the slugs; older addresses have the slugs alone. */
function categoryAt(parts: readonly string[], rules: Readonly<Record<string, string>>): OldTarget | null {
  const end = parts.findIndex((part) => lists.has(part))
  const path = end < 0 ? parts : parts.slice(0, end)
  const last = path.at(-1)
  const its = isId(last) ? last : (rules[`c/${path.join('/').toLowerCase()}`] ?? /^(\d{1,15})-category$/.exec(last ?? '')?.[1])
  return its === undefined ? null : { to: 'tag', id: its }
}
