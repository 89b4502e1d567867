import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { bulkSelection, bulkRefusals } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'

/** The text contains forbidden words: `{words}`. */
export const WordsInText = refusal('sensitiveWord.inText', { field: 'body' })
export const WordsInTitle = refusal('sensitiveWord.inTitle', { field: 'title' })
/** For a field of its own, named where it is thrown. */
export const WordsInField = refusal('sensitiveWord.inField', { field: 'text' })
export const ListChanged = refusal('sensitiveWord.listChanged', { field: 'name' })
export const NoFile = refusal('sensitiveWord.noFile', { field: 'file' })
/** Words match far more posts than they are written in: `{words}`. The call may be repeated with `takesBroad`. */
export const WordsTooBroad = refusal('sensitiveWord.tooBroad', { field: 'takesBroad' })
export const TooManyWords = refusal('sensitiveWord.tooMany', { field: 'file' })

/** The action for a post with a word of the list: mask it with stars, hold the post for review, or refuse it. */
export const wordActions = ['replace', 'review', 'refuse'] as const
export const maxWords = 100_000
export const maxWordLength = 60
export const maxListBytes = 8 * 1024 * 1024

const SensitiveListView = z.object({
  id: z.string(),
  name: z.string(),
  action: z.enum(wordActions),
  isEnabled: z.boolean(),
  wordCount: z.number(),
  hits: z.number(),
  /** The version, sent back with an edit. */
  changedAt: z.iso.datetime(),
  /** The account of the last editor; null for none. */
  changedBy: z.string().nullable(),
})

const listForm = { name: plainString.min(1).max(60), action: z.enum(wordActions), isEnabled: z.boolean().default(true) }

export const sensitiveLists = read('/admin/sensitiveList/list', {
  summary: 'Lists of sensitive words, with their actions.',
  input: nothing,
  output: z.object({ lists: z.array(SensitiveListView) }),
})

export const addSensitiveList = write('/admin/sensitiveList/add', {
  summary: 'Adds a list of sensitive words.',
  input: z.object(listForm),
  output: z.object({ listId: z.string() }),
})

export const editSensitiveList = write('/admin/sensitiveList/edit', {
  summary: 'Changes the name or the action of a list, or enables or disables it.',
  input: z.object({ listId: id, changedAt: z.iso.datetime(), ...listForm }),
  output: nothing,
  errors: [ListChanged],
})

export const removeSensitiveList = write('/admin/sensitiveList/remove', {
  summary: 'Removes a list with all its words.',
  input: z.object({ listId: id }),
  output: nothing,
})

export const sensitiveWords = staffList('/admin/sensitiveWord/list', {
  summary: 'Sensitive words, most matched first; the search matches their beginnings in any spelling.',
  words: 'sensitiveWordAdmin',
  columns: {
    word: field.text,
    list: field.composed,
    hits: field.number,
    lastHitAt: field.labelled('lastHit', field.orNull(field.time)),
  },
  values: { listId: z.string() },
  filters: {
    listId: field.labelled('list', field.typed(id.optional())),
    word: field.labelled('begins', field.typed(z.string().max(maxWordLength).optional())),
  },
  sorts: { hits: 'hits', added: null },
})

/** Also takes words that match far more posts than they are written in. */
const takesBroad = z.boolean().default(false)
const Added = z.object({ added: z.number(), known: z.number(), skipped: z.number() })

export const addSensitiveWords = write('/admin/sensitiveWord/add', {
  summary: 'Adds words to a list, one per line.',
  input: z.object({ listId: id, words: z.string().min(1).max(20_000), takesBroad }),
  output: Added,
  errors: [TooManyWords, WordsTooBroad],
})

export const removeSensitiveWords = write('/admin/sensitiveWord/remove', {
  summary: 'Removes words from their lists.',
  input: z.object(bulkSelection),
  output: nothing,
  errors: bulkRefusals,
})

export const importSensitiveWords = write('/admin/sensitiveWord/import', {
  summary: 'Imports the words of a text file, one per line, into a list; adds to the existing words or replaces them.',
  input: z.object({ listId: id, replaces: z.boolean().default(false), takesBroad }),
  output: Added,
  errors: [NoFile, TooManyWords, WordsTooBroad],
})

export const exportSensitiveWords = read('/admin/sensitiveWord/export', {
  summary: 'All words of a list, one per line.',
  input: z.object({ listId: id }),
  output: z.object({ name: z.string(), text: z.string() }),
})

export const testSensitiveWords = write('/admin/sensitiveWord/test', {
  summary: 'Checks a title and a text against the sensitive words. Nothing is stored.',
  input: z.object({ title: z.string().max(200).default(''), text: z.string().max(50_000) }),
  output: z.object({
    outcome: z.enum(['passes', 'replaced', 'waits', 'refused']),
    title: z.string(),
    text: z.string(),
    hits: z.array(z.object({ word: z.string(), list: z.string(), action: z.enum(wordActions), as: z.string(), isInTitle: z.boolean() })),
  }),
})
