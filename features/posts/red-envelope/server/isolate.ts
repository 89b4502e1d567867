/** Handles each id on its own: a failure does not stop the others, and is retried on the next run. */
export async function forEachIsolated(ids: readonly string[], handle: (id: string) => Promise<unknown>): Promise<void> {
  const failed = new Map<string, unknown>()
  for (const id of ids) await handle(id).catch((error: unknown) => failed.set(id, error))
  if (failed.size > 0) throw new AggregateError(failed.values(), `Red envelopes that failed: ${[...failed.keys()].join(', ')}`)
}
