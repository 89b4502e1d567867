import { expect, test } from 'vitest'
import { isCommon } from '#account/server/common-password.ts'
import { isLinear } from '#base/testing/steps.ts'

test.each([
  'password',
  'PASSWORD',
  'Password1',
  'p@ssw0rd',
  'P@$$w0rd!!',
  'ｐａｓｓｗｏｒｄ',
  '1234567',
  '7654321',
  'qwertyuiop',
  '123password',
  'dragondragon',
  'sunshine2024',
  'woaini1314',
  'zhangsan123',
  'trustno1',
  'liverpool',
  'iloveyou!',
  'aaaaaaaaaa',
  'abababab',
  'abcabcabc',
  'beijing2008',
  'mei_lin',
  'mei_lin12',
  'letmein1!',
  'monkey12345',
])('%s is common', async (password) => {
  expect(await isCommon(password, 'mei_lin')).toBe(true)
})

test.each([
  'a-quiet-evening',
  'rain-on-the-roof',
  'longjing tea by the lake',
  'kV7#mq2!xZ',
  '山雨欲来风满楼',
  'dragon-under-the-bridge',
  '4815-kettle-1623',
  'x'.repeat(100) + 'yz' + 'x'.repeat(150),
])('%s is not', async (password) => {
  expect(await isCommon(password, 'mei_lin')).toBe(false)
})

test.each([
  ['two characters in turn', (length: number) => 'ab'.repeat(length / 2)],
  ['one digit, and a letter in the midst of it', (length: number) => `${'1'.repeat(length / 2)}a${'1'.repeat(length / 2)}`],
  ['three letters in turn, and another', (length: number) => `${'abc'.repeat(length / 3)}x`],
])('a password of %s costs no more than its length', async (_, grow) => {
  await isCommon('whatever-it-is', 'mei_lin')
  expect(
    await isLinear((length) => {
      const password = grow(length)
      return () => isCommon(password, 'mei_lin')
    }),
  ).toBe(true)
})
