/** What a change changed, without what stayed. */
export function different<Of extends Record<string, unknown>>(before: Of, after: Partial<Record<keyof Of, unknown>>) {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const only = (of: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, of[name]]))
  return { before: only(before), after: only(after) }
}
