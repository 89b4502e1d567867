import { expect, test } from 'vitest'
import { z } from 'zod'
import { messageOf } from '#base/validation.ts'
import en from '#base/words/validation/en.json' with { type: 'json' }

const form = z.object({
  title: z.string().min(1).max(5),
  code: z.string().length(4),
  name: z.string().min(3).regex(/^\w*$/),
  count: z.number().int().min(2).max(9),
  price: z.number().positive(),
  share: z.number().lt(1),
  tags: z.array(z.string()).min(1).max(2),
  kind: z.enum(['a', 'b']),
  mail: z.email(),
})
const right = { title: 'Tea', code: '1234', name: 'mei', count: 3, price: 1, share: 0.5, tags: ['a'], kind: 'a', mail: 'mei@example.org' }

test.each([
  [{ title: undefined }, 'required', {}],
  [{ title: '' }, 'required', {}],
  [{ title: 'too long' }, 'tooLong', { max: 5 }],
  [{ title: 7 }, 'wrong', {}],
  [{ code: '12' }, 'exactly', { count: 4 }],
  [{ code: '12345' }, 'exactly', { count: 4 }],
  [{ name: 'me' }, 'tooShort', { min: 3 }],
  [{ name: 'm e i' }, 'pattern', {}],
  [{ count: undefined }, 'required', {}],
  [{ count: 'many' }, 'number', {}],
  [{ count: 2.5 }, 'number', {}],
  [{ count: 1 }, 'tooSmall', { min: 2 }],
  [{ count: 10 }, 'tooLarge', { max: 9 }],
  [{ price: 0 }, 'moreThan', { min: 0 }],
  [{ share: 1 }, 'lessThan', { max: 1 }],
  [{ tags: [] }, 'required', {}],
  [{ tags: ['a', 'b', 'c'] }, 'tooMany', { max: 2 }],
  [{ kind: 'c' }, 'wrong', {}],
  [{ mail: 'mei' }, 'wrong', {}],
] as const)('%j becomes %s', (change, key, values) => {
  const issue = form.safeParse({ ...right, ...change }).error?.issues[0]
  expect(issue && messageOf(issue)).toEqual({ key: `validation.${key}`, values })
  expect(en).toHaveProperty(key)
})

test('a missing value is required, if the value is known', () => {
  const issue = form.safeParse({ ...right, kind: undefined }, { reportInput: true }).error?.issues[0]
  expect(issue && messageOf(issue).key).toBe('validation.required')
})

test('a check of our own says its own code and values', () => {
  const passwords = z.object({ again: z.string() }).superRefine((_, context) => {
    context.addIssue({ code: 'custom', path: ['again'], params: { code: 'validation.passwordsDiffer', values: { tries: 2 } } })
  })
  const issue = passwords.safeParse({ again: '' }).error?.issues[0]
  expect(issue && messageOf(issue)).toEqual({ key: 'validation.passwordsDiffer', values: { tries: 2 } })
})
