import { expect, test } from 'vitest'
import { normalizeDomain, normalizeEmail } from '#base/email-address.ts'

test.each([
  ["tea'n'cup@example.com", "tea'n'cup@example.com"],
  ["O'Brien@Example.com", "o'brien@example.com"],
  ['a+b.c_d-e%f@example.co.uk', 'a+b.c_d-e%f@example.co.uk'],
  ['!#$%&*/=?^`{|}~@example.org', '!#$%&*/=?^`{|}~@example.org'],
  ['mei..lin.@docomo.example', 'mei..lin.@docomo.example'],
  ['用户@例子.测试', '用户@xn--fsqu00a.xn--0zwm56d'],
  ['mei@bücher.de', 'mei@xn--bcher-kva.de'],
  ['mei@xn--bcher-kva.de', 'mei@xn--bcher-kva.de'],
  ['ｍｅｉ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'mei@example.org'],
  ['mei@qq。com', 'mei@qq.com'],
  ['δοκιμή@παράδειγμα.gr', 'δοκιμή@xn--hxajbheg2az3al.gr'],
  ['mei@mail.中国', 'mei@mail.xn--fiqs8s'],
  [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
])('%s is an address, and its one spelling is %s', (typed, spelled) => {
  expect(normalizeEmail(typed)).toBe(spelled)
  expect(normalizeEmail(spelled)).toBe(spelled)
  expect(normalizeEmail(typed.normalize('NFD'))).toBe(spelled)
})

test.each([
  '',
  'mei',
  '@example.org',
  'mei@',
  'mei@localhost',
  'mei@example',
  'mei@-example.org',
  'mei@exa_mple.org',
  'mei@1.2.3.4',
  'mei@[127.0.0.1]',
  'mei@0x7f.1',
  'mei@example.org:25',
  'mei@example.org/path',
  'mei@ex%61mple.org',
  'a b@example.org',
  'a"b@example.org',
  'a,b@example.org',
  '<mei@example.org>',
  'mei@example.org\nbcc: tom@example.org',
  'mei\r\n@example.org',
  'a@b@example.org',
  `${'a'.repeat(65)}@example.org`,
  `${'茶'.repeat(22)}@example.org`,
  `mei@${'a'.repeat(64)}.org`,
  `mei@${'a.'.repeat(125)}org`,
])('%j is none', (typed) => expect(normalizeEmail(typed)).toBeNull())

test('a domain is normalized to its form in DNS', () => {
  expect(normalizeDomain('BÜCHER.example')).toBe('xn--bcher-kva.example')
  expect(normalizeDomain('a b.example')).toBeNull()
})
