import { z } from 'zod'
import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'

const all = await endpoints()

/** The calls that set a password, which has a least length; one that is only compared has none. */
const setting = all.filter(({ input }) => {
  const field = input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>)['password'] : undefined
  return field && !field.safeParse('short').success && field.safeParse('a-quiet-evening').success
})

test('every call that sets a password refuses another one that was typed to confirm it', () => {
  expect(setting.map(({ path }) => path).toSorted()).toEqual([
    '/account/register',
    '/account/registerBy',
    '/admin/password',
    '/findPassWord/step2',
    '/takeBack',
    '/user/control/changePassword',
    '/user/control/setPassword',
  ])
  for (const { path, input } of setting) {
    const faults = (passwordAgain?: string) => {
      const { error } = input.safeParse({ password: 'a-quiet-evening', ...(passwordAgain !== undefined && { passwordAgain }) })
      return error?.issues.filter((issue) => issue.path[0] === 'passwordAgain').length ?? 0
    }
    expect([path, faults('a-loud-morning'), faults(''), faults('a-quiet-evening'), faults()]).toEqual([path, 1, 1, 0, 0])
  }
})
