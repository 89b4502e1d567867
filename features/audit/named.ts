const namesByKey: Readonly<Record<string, string>> = {
  roleId: 'role',
  roleIds: 'role',
  tagId: 'tag',
  tagIds: 'tag',
  parentId: 'tag',
  memberId: 'member',
  into: 'member',
  author: 'member',
}

/** A field as forms spell it: rows of the database say `parent_id`. */
export function plainKey(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** What the number in a field of a deed is the number of, by kind and id as in `about`; null where it is none. */
export function namedBy(deed: string, key: string, value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{1,18}$/.test(value)) return null
  if (deed === 'role.default') return `role ${value}`
  const kind = namesByKey[plainKey(key)]
  if (!kind || (kind === 'tag' && plainKey(key) === 'parentId' && !deed.startsWith('tag.'))) return null
  if (kind === 'member' && !deed.startsWith('member.') && deed !== 'batch.begin') return null
  return `${kind === 'role' && deed.startsWith('staff') ? 'staffRole' : kind} ${value}`
}

/** All that a deed names by number in what it changed. */
export function allNamedIn(deed: string, value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => allNamedIn(deed, one, key))
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([name, one]) => allNamedIn(deed, one, name))
  const named = namedBy(deed, key, value)
  return named ? [named] : []
}
