import { expect, test } from 'vitest'
import { targetOf } from '#importer/server/nodebb/addresses.ts'
import { uploadAt } from '#importer/server/nodebb/uploads.ts'

const at = (path: string, folder = '/') => targetOf(new URL(path, 'http://localhost/'), { folder })

test.each([
  ['/topic/12/some-slug/5', { to: 'thread', id: '12', number: 5 }],
  ['/topic/12/some-slug', { to: 'thread', id: '12' }],
  ['/topic/12', { to: 'thread', id: '12' }],
  ['/topic/12/5', { to: 'thread', id: '12', number: 5 }],
  ['/topic/12/1984/3', { to: 'thread', id: '12', number: 3 }],
  ['/topic/12/slug/5?page=2#x', { to: 'thread', id: '12', number: 5 }],
  ['/post/7', { to: 'post', id: '7' }],
  ['/category/3/general', { to: 'tag', id: '3' }],
  ['/uid/5', { to: 'member', id: '5' }],
  ['/assets/uploads/files/1700000000000-tea.png', { to: 'file', id: 'files/1700000000000-tea.png' }],
  ['/tags/%E8%8C%B6', { to: 'tag', id: 'tag/茶' }],
  ['/tags/%zz', null],
  ['/tags', null],
  ['/user/ann-lee', null],
  ['/api/topic/12', null],
  ['/topic/0', null],
  ['/topic/one', null],
  ['/', null],
])('%s leads to %j', (path, target) => {
  expect(at(path)).toEqual(target)
})

test('a site in a folder has its addresses below it', () => {
  expect(at('/forum/topic/12/x/5', '/forum')).toEqual({ to: 'thread', id: '12', number: 5 })
  expect(at('/forum/topic/12', '/forum/')).toEqual({ to: 'thread', id: '12' })
  expect(at('/topic/12', '/forum')).toBeNull()
})

test('an upload is found by its address on any of the addresses of the site', () => {
  const origins = ['https://tea.example/forum', 'http://old.example/']
  expect(uploadAt('/assets/uploads/files/a.png', origins)).toBe('files/a.png')
  expect(uploadAt('/forum/assets/uploads/files/a.png', origins)).toBe('files/a.png')
  expect(uploadAt('http://old.example/uploads/files/%E8%8C%B6.png', origins)).toBe('files/茶.png')
  expect(uploadAt('/assets/uploads/profile/uid-2/2-profileavatar-1.png', origins)).toBe('profile/uid-2/2-profileavatar-1.png')
})

test('an address elsewhere and a path out of the folder are no uploads', () => {
  for (const address of [
    'https://other.example/assets/uploads/files/a.png',
    '//other.example/uploads/a.png',
    '/assets/uploads/files/%2e%2e%2f%2e%2e%2fconfig.json',
    '/assets/uploads/..%5cconfig.json',
    '/assets/uploads/',
    '/assets/uploads/%zz.png',
    '/assets/images/a.png',
    'javascript:alert(1)',
    '',
  ])
    expect(uploadAt(address, ['https://tea.example/']), address).toBeNull()
})
