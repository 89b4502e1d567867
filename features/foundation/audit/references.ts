const kindByKey: Readonly<Record<string, string>> = {
  roleId: 'role',
  roleIds: 'role',
  tagId: 'tag',
  tagIds: 'tag',
  parentId: 'tag',
  memberId: 'member',
  into: 'member',
  author: 'member',
}

/** A field name as forms spell it: database rows have `parent_id`. */
export function plainKey(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The item that an id in a field refers to, by kind and id as in `about`; null for other values. */
export function referenceIn(action: string, key: string, value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{1,18}$/.test(value)) return null
  if (action === 'role.default') return `role ${value}`
  const kind = kindByKey[plainKey(key)]
  if (!kind || (kind === 'tag' && plainKey(key) === 'parentId' && !action.startsWith('tag.'))) return null
  if (kind === 'member' && !action.startsWith('member.') && action !== 'batch.begin') return null
  return `${kind === 'role' && action.startsWith('staff') ? 'staffRole' : kind} ${value}`
}

/** All items that the changes of an entry refer to by id. */
export function referencesIn(action: string, value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => referencesIn(action, one, key))
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([name, one]) => referencesIn(action, one, name))
  const named = referenceIn(action, key, value)
  return named ? [named] : []
}
