/** Does each by itself: one that fails keeps no other from its turn, and is tried again with the next look. */
export async function eachByItself(ids: readonly string[], does: (id: string) => Promise<unknown>): Promise<void> {
  const failed = new Map<string, unknown>()
  for (const id of ids) await does(id).catch((error: unknown) => failed.set(id, error))
  if (failed.size > 0) throw new AggregateError(failed.values(), `Red envelopes that failed: ${[...failed.keys()].join(', ')}`)
}
