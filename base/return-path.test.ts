import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { decodeReturnPath, safeReturnPath } from '#base/return-path.ts'

const evil = 'evil.example'

// Spellings of another site that some browser or server has mistaken for a path, or the reverse.
const starts = [
  '//',
  '///',
  '////',
  '/\\',
  '\\/',
  '\\\\',
  '/\\/',
  '//\\',
  '/\t/',
  '/\n/',
  '/\r/',
  '\t//',
  ' //',
  '/ /',
  '\u0000//',
  '//\u0000',
  '/%5c',
  '/%5C/',
  '/%2f',
  '/%2F/',
  '/.//',
  '/..//',
  '/%2e//',
  '/.%2e//',
  '/%2e%2e//',
  '/a/..//',
  '/a/../..//',
  '/./\\',
  '/;//../..//',
  '/%09/',
  '/%00/',
  '/%0a/',
  '/%0d%0a/',
  '/\u2028/',
  '/\u3000/',
  '/\uff0f',
  '\uff0f\uff0f',
  '/\u2215',
  '//@',
  '//a@',
  '//a:b@',
  '/\\@',
  'https://',
  'HTTPS://',
  'http:',
  'https:',
  'https:/',
  'https:\\\\',
  'http:\\/\\/',
  'ftp://',
  'ws://',
  'javascript://',
  'data://',
  '@',
  '.',
  '..',
  '?//',
  '#//',
  ':',
  '://',
  '/:80\\',
  '[::1]//',
  '\ufeff//',
  '%2f%2f',
  '%68ttps://',
]
const ends = [evil, `${evil}/login`, `${evil}:443/index`]
const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://teahouse.invalid/1',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://evil.example',
  'mailto:a@evil.example',
  'intent://evil.example#Intent;end',
]
const traps = [
  '',
  'index',
  './index',
  '../index',
  '?jumpUrl=1',
  '#index',
  '/index\u0000',
  '/index\n',
  '/index"onload=1',
  '/index<script>',
  '/in dex',
  '/\u8336',
  '/index\ud800',
  '/%',
  '/%zz',
  '/%c0%af',
  '/login',
  '/login/',
  '/LOGIN',
  '/login?jumpUrl=L2luZGV4',
  '/%6cogin',
  '/l%6Fgin',
  '/./login',
  '/a/../login',
  '/register',
  '/register?jumpUrl=L2luZGV4',
  '/thirdParty/loginRedirect?code=1',
  '/thirdparty/loginRedirect',
  '/%74hirdParty/x',
  '/api',
  '/api/thread',
  '/API/thread',
  '/%61pi/account/logout',
  '/a/../api/x',
  `/${'a'.repeat(2000)}`,
]

const attacks = [...starts.flatMap((start) => ends.map((end) => start + end)), ...schemes, ...traps]

test(`none of ${attacks.length} attacks leads away`, () => {
  expect(attacks.length).toBeGreaterThanOrEqual(200)
  const led = attacks.map((attack) => [attack, safeReturnPath(attack)] as const).filter(([, path]) => !staysAtHome(path))
  expect(led).toEqual([])
})

test('no attack leads away as a jumpUrl either, in any encoding', () => {
  for (const attack of attacks) {
    const bytes = new TextEncoder().encode(attack)
    for (const coded of [
      attack,
      Buffer.from(bytes).toString('base64url'),
      Buffer.from(bytes).toString('base64'),
      encodeURIComponent(attack.toWellFormed()),
    ]) {
      expect(staysAtHome(decodeReturnPath(coded)), coded).toBe(true)
    }
  }
})

describe('a path of our own', () => {
  test.each([
    '/index',
    '/thread?topicId=42&commentId=7#floor-3',
    '/search?q=%E8%8C%B6%20%26%20cake',
    '/search?q=https://example.org/?a=b',
    '/loginRecords',
    '/apiary',
    '/user/control/home?userId=1',
  ])('%s is kept', (path) => {
    expect(safeReturnPath(path)).toBe(path)
  })

  test('dots are resolved before any check', () => {
    expect(safeReturnPath('/user/./control/../editTopic?topicId=1')).toBe('/user/editTopic?topicId=1')
  })

  test.each([
    ['/thread?topicId=42', '/thread?topicId=42'],
    ['/search?q=茶 and 饼', '/search?q=%E8%8C%B6%20and%20%E9%A5%BC'],
    ['/search?q=100%', '/search?q=100%'],
    ['/search?q=a%2Fb%2520c', '/search?q=a%2Fb%2520c'],
    ['/search?q=[a]|{b}^`', '/search?q=%5Ba%5D%7C%7Bb%7D%5E%60'],
    ['/thread?topicId=42#write', '/thread?topicId=42#write'],
  ])('%s comes back from a jumpUrl', (path, back) => {
    const jumpUrl = encodeReturnPath(path)
    expect(jumpUrl).toMatch(/^[\w-]+$/)
    expect(decodeReturnPath(jumpUrl)).toBe(back)
  })
})

test('any query of ours survives the way there and back', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), { maxKeys: 4 }),
      (parameters) => {
        const back = decodeReturnPath(encodeReturnPath(`/search?${new URLSearchParams(parameters)}`))
        expect(Object.fromEntries(new URLSearchParams(back.replace('/search', '')))).toEqual(Object.fromEntries(Object.entries(parameters)))
      },
    ),
  )
})

test('no text at all leads away', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.webUrl(),
        fc.webUrl().map((url) => url.slice(6)),
      ),
      (text) => {
        expect(staysAtHome(safeReturnPath(text))).toBe(true)
        expect(staysAtHome(decodeReturnPath(text))).toBe(true)
      },
    ),
  )
})

function staysAtHome(path: string): boolean {
  const url = new URL(path, 'https://forum.example')
  return (
    url.origin === 'https://forum.example' &&
    path.startsWith('/') &&
    !path.startsWith('//') &&
    !/^\/(login|thirdparty|api)(\/|$|\?)/i.test(decodeURIComponent(url.pathname))
  )
}
