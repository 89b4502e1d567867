/** The members who may do or see other things than before, now that these tags were invalidated: by id, or everybody. */
export function whoseRights(tags: readonly string[]): ReadonlySet<string> | 'everybody' {
  if (['role', 'tags', 'setting'].some((tag) => tags.includes(tag))) return 'everybody'
  return new Set(tags.flatMap((tag) => /^(?:member|sessions):(.+)/.exec(tag)?.[1] ?? []))
}
