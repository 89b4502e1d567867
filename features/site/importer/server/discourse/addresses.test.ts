import fc from 'fast-check'
import { expect, test } from 'vitest'
import { targetOf } from '#importer/server/discourse/addresses.ts'
import { fileIdAt, fileIdsIn, pathOf, sha1Of } from '#importer/server/discourse/upload-address.ts'

const rules = { folder: '/', 'c/tea': '2', 'c/tea/green': '3' }
const at = (path: string, folder = '/') => targetOf(new URL(path, 'http://localhost/'), { ...rules, folder })
const hash = 'f0ab12cd34ef56f0ab12cd34ef56f0ab12cd34ef'

test.each([
  ['/t/which-water/12/5', { to: 'thread', id: '12', number: 5 }],
  ['/t/which-water/12', { to: 'thread', id: '12' }],
  ['/t/12/5', { to: 'thread', id: '12', number: 5 }],
  ['/t/12', { to: 'thread', id: '12' }],
  ['/t/-/12/5', { to: 'thread', id: '12', number: 5 }],
  ['/t/%E8%8C%B6/12/5?u=ann', { to: 'thread', id: '12', number: 5 }],
  ['/t/which-water/12/last', { to: 'thread', id: '12', number: 99_999_999 }],
  ['/t/which-water/12/print', { to: 'thread', id: '12' }],
  ['/t/which-water/12.rss', { to: 'thread', id: '12' }],
  ['/t/which-water', null],
  ['/t/%zz/12', null],
  ['/p/101', { to: 'post', id: '101' }],
  ['/p/101/2', { to: 'post', id: '101' }],
  ['/c/tea/green/3', { to: 'tag', id: '3' }],
  ['/c/tea/green/3/l/latest', { to: 'tag', id: '3' }],
  ['/c/Tea/green', { to: 'tag', id: '3' }],
  ['/c/tea/none', { to: 'tag', id: '2' }],
  ['/category/7-category', { to: 'tag', id: '7' }],
  ['/c/gone', null],
  ['/tag/spring', { to: 'tag', id: 'tag/spring' }],
  ['/tag/spring/12', { to: 'tag', id: 'tag/spring' }],
  ['/tags/%E8%8C%B6', { to: 'tag', id: 'tag/茶' }],
  ['/u/Ann.Lee', { to: 'name', id: 'Ann.Lee' }],
  ['/users/ann/activity', { to: 'name', id: 'ann' }],
  ['/u', null],
  [`/uploads/default/original/3X/f/0/${hash}.png`, { to: 'file', id: hash }],
  [`/uploads/default/optimized/3X/f/0/${hash}_2_690x388.png`, { to: 'file', id: hash }],
  [`/uploads/default/${hash}.pdf`, { to: 'file', id: hash }],
  [`/secure-uploads/original/3X/f/0/${hash}.png`, { to: 'file', id: hash }],
  [`/secure-media-uploads/original/3X/f/0/${hash}.png`, { to: 'file', id: hash }],
  ['/uploads/short-url/9zZ.txt', { to: 'file', id: '8fdb'.padStart(40, '0') }],
  ['/uploads/default/12/0123456789abcdef.png', { to: 'file', id: 'uploads/default/12/0123456789abcdef.png' }],
  ['/latest', null],
  ['/', null],
])('%s leads to %j', (path, target) => {
  expect(at(path)).toEqual(target)
})

test('a site in a folder has its addresses below it, or without it where it was taken away', () => {
  expect(at('/forum/t/x/12/5', '/forum/')).toEqual({ to: 'thread', id: '12', number: 5 })
  expect(at('/t/x/12/5', '/forum/')).toEqual({ to: 'thread', id: '12', number: 5 })
})

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** As Discourse writes it: the number alone, without zeros before it. */
function base62(bytes: Uint8Array): string {
  let [number, text] = [BigInt(`0x${Buffer.from(bytes).toString('hex')}`), '']
  for (; number > 0n; number /= 62n) text = digits.charAt(Number(number % 62n)) + text
  return text || '0'
}

// discourse #17070
test('a short name is the hash of its file, however many zeros it begins with', () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
  const zeros = fc.tuple(fc.integer({ min: 1, max: 20 }), bytes).map(([count, some]) => some.fill(0, 0, count))
  fc.assert(
    fc.property(fc.oneof(bytes, zeros), (some) => {
      expect(sha1Of(base62(some))).toBe(Buffer.from(some).toString('hex'))
    }),
  )
})

test('a short name of too large a number, or of other letters, is none', () => {
  for (const name of ['', 'Z'.repeat(27), 'a'.repeat(28), 'tea-cup', 'ä']) expect(sha1Of(name), name).toBeNull()
})

// discourse #13847
test('uploads are found in a text, on whatever host they are delivered', () => {
  const text = `![a|10x10](upload://9zZ.png) <img src="https://cdn.example.org/original/3X/f/0/${hash}.png"> /uploads/short-url/1.pdf`
  expect(fileIdsIn(text)).toEqual(['8fdb'.padStart(40, '0'), hash, '1'.padStart(40, '0')])
  expect(fileIdAt('https://example.org/original/tea.png')).toBeNull()
})

test('the file of an upload lies below its stored address, or below the folder where a copy of a bucket is put', () => {
  expect(pathOf('/uploads/default/original/1X/a.png')).toBe('uploads/default/original/1X/a.png')
  expect(pathOf('/forum/uploads/tea/original/1X/a.png')).toBe('uploads/tea/original/1X/a.png')
  expect(pathOf('//bucket.example.org/original/3X/f/0/a.png')).toBe('uploads/default/original/3X/f/0/a.png')
  expect(pathOf('https://example.org/a.png')).toBeNull()
})
