import type { Say } from '#base/web/words.tsx'
import type { BatchView } from '#content/views.ts'

/** `topic.remove` is worded as `doRemove`. */
export function keyOf(deed: string): string {
  const [, name = ''] = deed.split('.')
  return `do${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

export function isAtWork({ state }: BatchView): boolean {
  return state === 'doing' || state === 'undoing'
}

/** How far a batch is, or what came of it. */
export function progressIn(words: Say, { state, whyStopped, total, done, faults, undone, left }: BatchView): string {
  if (state === 'undone') return words('undoneAll', { count: undone, left })
  if (state === 'undoing') return words('undoing', { count: undone, total: done, left })
  const said = words(done + faults < total ? 'doneOf' : 'doneAll', { count: done, total, left: faults })
  return state === 'stopped' ? `${words(whyStopped === 'right' ? 'stoppedByRight' : 'stoppedByFailure')} ${said}` : said
}
