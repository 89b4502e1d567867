import { expect, test } from 'vitest'
import { isCommon } from '#account/server/common-password.ts'

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

test('it takes no long time, whatever is sent', async () => {
  await isCommon('whatever-it-is', 'mei_lin')
  const began = performance.now()
  for (const long of ['ab'.repeat(128), '1'.repeat(128) + 'a' + '1'.repeat(127), 'abc'.repeat(85) + 'x']) await isCommon(long, 'mei_lin')
  expect(performance.now() - began).toBeLessThan(200)
})
