import type { z } from 'zod'

export type Said = { key: string; values: Record<string, string | number> }

/**
 * What is wrong with a value, as a key of the words and what it needs: the same in the browser and on the server.
 * A check of our own says its code itself, headed by its feature; the others are keys of `validation`.
 */
export function messageOf(issue: z.core.$ZodIssue): Said {
  if (issue.code === 'custom') return { key: String(issue.params?.['code'] ?? 'validation.wrong'), values: issue.params?.['values'] ?? {} }
  return { key: `validation.${keyOf(issue)}`, values: valuesOf(issue) }
}

function keyOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.input === undefined || issue.input === '' ? 'required' : issue.expected === 'number' || issue.expected === 'int' ? 'number' : 'wrong'
  if (issue.code === 'too_small') return issue.origin === 'string' ? (issue.minimum === 1 ? 'required' : 'tooShort') : issue.origin === 'array' ? 'tooFew' : 'tooSmall'
  if (issue.code === 'too_big') return issue.origin === 'string' ? 'tooLong' : issue.origin === 'array' ? 'tooMany' : 'tooLarge'
  return issue.code === 'invalid_format' ? 'pattern' : 'wrong'
}

function valuesOf(issue: z.core.$ZodIssue): Said['values'] {
  if (issue.code === 'too_small') return { min: Number(issue.minimum) }
  return issue.code === 'too_big' ? { max: Number(issue.maximum) } : {}
}
