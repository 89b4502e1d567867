import type { z } from 'zod'

export type ValidationMessage = { key: string; values: Record<string, string | number> }
type Issue = z.core.$ZodIssue

/**
 * The message key for an invalid value, with its placeholders: the same in the browser and on the server. A custom check gives its own
 * code, prefixed with its feature; the others are keys of `validation`.
 */
export function messageOf(issue: Issue): ValidationMessage {
  if (issue.code === 'custom') return { key: String(issue.params?.['code'] ?? 'validation.wrong'), values: issue.params?.['values'] ?? {} }
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big') return tooBig(issue)
  if (isMissing(issue)) return messageWith('required')
  if (issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int')) return messageWith('number')
  return messageWith(issue.code === 'invalid_format' && issue.format === 'regex' ? 'pattern' : 'wrong')
}

/**
 * The form field of an invalid value, from the path to it: the first step, or for a part of a thread the part and its field, such as
 * `parts.poll.options`.
 */
export function fieldAt(path: readonly PropertyKey[]): string {
  return path
    .slice(0, path[0] === 'parts' ? 3 : 1)
    .map(String)
    .join('.')
}

function tooSmall({ origin, minimum, exact, inclusive }: z.core.$ZodIssueTooSmall): ValidationMessage {
  const min = Number(minimum)
  if (origin === 'string')
    return min === 1 ? messageWith('required') : exact ? messageWith('exactly', { count: min }) : messageWith('tooShort', { min })
  if (origin === 'array') return min === 1 ? messageWith('required') : messageWith('tooFew', { min })
  return inclusive === false ? messageWith('moreThan', { min }) : messageWith('tooSmall', { min })
}

function tooBig({ origin, maximum, exact, inclusive }: z.core.$ZodIssueTooBig): ValidationMessage {
  const max = Number(maximum)
  if (origin === 'string') return exact ? messageWith('exactly', { count: max }) : messageWith('tooLong', { max })
  if (origin === 'array') return messageWith('tooMany', { max })
  return inclusive === false ? messageWith('lessThan', { max }) : messageWith('tooLarge', { max })
}

// An issue has its input only after parsing with `reportInput`; otherwise only the message tells that the value was absent.
function isMissing(issue: Issue): boolean {
  if ('input' in issue) return issue.input === undefined
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
}

function messageWith(key: string, values: ValidationMessage['values'] = {}): ValidationMessage {
  return { key: `validation.${key}`, values }
}
