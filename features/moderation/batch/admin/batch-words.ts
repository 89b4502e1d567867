import type { Translate } from '#base/web/words.tsx'
import type { BatchView } from '#batch/contract.ts'

export function isRunning({ state }: BatchView): boolean {
  return state === 'doing' || state === 'undoing'
}

/** The progress of a batch, or its result. */
export function progressIn(words: Translate, { state, whyStopped, total, done, faults, undone, left }: BatchView): string {
  if (state === 'undone') return words('undoneAll', { count: undone, left })
  if (state === 'undoing') return words('undoing', { count: undone, total: done, left })
  const progress = words(done + faults < total ? 'doneOf' : 'doneAll', { count: done, total, left: faults })
  return state === 'stopped' ? `${words(whyStopped === 'right' ? 'stoppedByRight' : 'stoppedByFailure')} ${progress}` : progress
}

const filterWords: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  tagId: 'tag',
  author: 'author',
  since: 'since',
  until: 'until',
  state: 'state',
  mark: 'mark',
  topicId: 'ofTopic',
  commentId: 'ofComment',
  batchId: 'ofBatch',
  name: 'namePart',
  names: 'nameMatch',
  roleId: 'role',
  ip: 'ip',
  joinedSince: 'joinedSince',
  joinedUntil: 'joinedUntil',
  seenSince: 'seenSince',
  seenUntil: 'seenUntil',
  fieldId: 'field',
  answer: 'answer',
}
const wordedFilters: readonly string[] = ['state', 'mark', 'names']

/** The filters of a list when all matches were selected. */
export function filtersInWords(words: Translate, language: 'zh' | 'en', filter: NonNullable<BatchView['filter']>): string {
  if (filter.length === 0) return words('ofAll')
  const parts = filter.map(({ name, value, called }) => {
    const worded = filterWords[name]
    return words('narrowedTo', { name: worded ? words(worded) : name, value: called?.[language] ?? valueIn(words, language, name, value) })
  })
  return words('allThatMatched', { filter: parts.join(words('andThen')) })
}

function valueIn(words: Translate, language: 'zh' | 'en', name: string, value: string): string {
  if (wordedFilters.includes(name)) return words(value)
  return /(since|until)$/i.test(name) ? new Date(value).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }) : value
}
