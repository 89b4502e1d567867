import { expect, test } from 'vitest'
import { attachmentsOf } from '#base/rich-text/to-text.ts'
import { aNodebb, category, member, rowsOf, topic } from '#importer/testing/nodebb-reading.ts'
import type { Key } from '#importer/testing/nodebb-keys.ts'

const base = [...category('5'), ...member('2'), ...member('3')]

function withContent(keys: readonly Key[], contents: Record<string, string>): Key[] {
  return keys.map((one) => {
    const content = contents[one.key]
    return 'hash' in one && content !== undefined ? { ...one, hash: { ...one.hash, content } } : one
  })
}

test('files are found where texts show them, once each, under the ids that the bodies have', async () => {
  const keys = withContent([...base, ...topic('1', ['1', '2', '3'])], {
    'post:1':
      '![cup](/assets/uploads/files/1700000000000-cup.png) and [list](https://tea.example/assets/uploads/files/1700000000001-list.pdf "x")',
    'post:2': 'again https://tea.example/assets/uploads/files/1700000000000-cup.png.\n\n`/assets/uploads/files/code.png`',
    'post:3': '[other](https://other.example/assets/uploads/files/x.png) [out](/assets/uploads/files/..%2f..%2fconfig.json)',
  })
  const reader = await aNodebb([
    ...keys,
    { key: 'posts:pid', sorted: { 1: 1, 2: 2, 3: 3 } },
    { key: 'chat:rooms', sorted: { 1: 1 } },
    { key: 'chat:room:1:mids', sorted: { 1: 5_000 } },
    { key: 'message:1', hash: { fromuid: 3, content: '![](/assets/uploads/files/1700000000002-%E8%8C%B6.png)' } },
  ])
  const files = await rowsOf(reader, 'files')
  expect(files).toEqual([
    { id: 'files/1700000000000-cup.png', ownerId: '2', path: 'files/1700000000000-cup.png', name: 'cup.png' },
    { id: 'files/1700000000001-list.pdf', ownerId: '2', path: 'files/1700000000001-list.pdf', name: 'list.pdf' },
    { id: 'files/1700000000002-茶.png', ownerId: '3', path: 'files/1700000000002-茶.png', name: '茶.png' },
  ])
  const [thread] = await rowsOf(reader, 'threads')
  expect(thread && attachmentsOf(thread.opening.body.document)).toEqual([
    expect.objectContaining({ file: 'import:file/files/1700000000000-cup.png', name: 'cup' }),
    expect.objectContaining({ file: 'import:file/files/1700000000001-list.pdf', name: 'list' }),
  ])
})

test('a later run finds only the files of new posts and messages', async () => {
  const keys = withContent([...base, ...topic('1', ['1', '2'])], {
    'post:1': '![a](/assets/uploads/files/a.png)',
    'post:2': '![b](/assets/uploads/files/b.png)',
  })
  const reader = await aNodebb([
    ...keys,
    { key: 'posts:pid', sorted: { 1: 1, 2: 2 } },
    { key: 'chat:rooms', sorted: { 1: 1 } },
    { key: 'chat:room:1:mids', sorted: { 7: 5_000, 8: 7_000 } },
    { key: 'message:7', hash: { fromuid: 3, content: '![c](/assets/uploads/files/c.png)' } },
    { key: 'message:8', hash: { fromuid: 3, content: '![d](/assets/uploads/files/d.png)' } },
  ])
  expect((await rowsOf(reader, 'files', { since: '1@6000' })).map(({ id }) => id)).toEqual(['files/b.png', 'files/d.png'])
})

const options = [
  { id: '1772931625035', title: 'Green' },
  { id: '1772931626635', title: 'Black' },
]

test('a poll of the first post is the poll of the thread, with the votes of members', async () => {
  const poll = { title: 'Which tea?', maximumVotesPerUser: 2, end: 50_000, options: JSON.stringify(options) }
  const posts = topic('1', ['1', '2']).map((one) =>
    'hash' in one && one.key.startsWith('post:') ? { ...one, hash: { ...one.hash, pollIds: one.key === 'post:1' ? '["3"]' : '[4]' } } : one,
  )
  const reader = await aNodebb([
    ...base,
    ...posts,
    { key: 'poll:3', hash: { pollId: 3, ...poll } },
    { key: 'poll:3:options:1772931625035:votes', sorted: { 2: 10, 'https://other.example/u/bo': 11 } },
    { key: 'poll:3:options:1772931626635:votes', sorted: { 2: 10, 3: 20 } },
  ])
  const [thread] = await rowsOf(reader, 'threads')
  expect(thread?.poll).toEqual({
    title: 'Which tea?',
    options: [
      { id: '1772931625035', label: 'Green' },
      { id: '1772931626635', label: 'Black' },
    ],
    maxChoices: 2,
    isPublic: true,
    showsResults: 'always',
    endsAt: new Date(50_000),
  })
  expect(await rowsOf(reader, 'votes')).toEqual([
    { threadId: '1', memberId: '2', optionIds: ['1772931625035', '1772931626635'], at: new Date(10) },
    { threadId: '1', memberId: '3', optionIds: ['1772931626635'], at: new Date(20) },
  ])
  expect((await rowsOf(reader, 'comments'))[0]?.body.notes).toEqual(['poll in a comment'])
})

test('a poll of the plugin before its version 4 has its settings and options in keys of their own', async () => {
  const posts = topic('1', ['1']).map((one) => ('hash' in one && one.key === 'post:1' ? { ...one, hash: { ...one.hash, pollId: 3 } } : one))
  const reader = await aNodebb([
    ...base,
    ...posts,
    { key: 'poll:3', hash: { pollid: 3, title: 'Which tea?' } },
    { key: 'poll:3:settings', hash: { maxvotes: 9, end: 0, allowAnonVoting: 1, title: 'old' } },
    { key: 'poll:3:options', set: ['1', '0'] },
    { key: 'poll:3:options:0', hash: { id: 0, title: 'Green' } },
    { key: 'poll:3:options:1', hash: { id: 1, title: 'Black' } },
    { key: 'poll:3:options:1:votes', sorted: { 3: 20 } },
  ])
  expect((await rowsOf(reader, 'threads'))[0]?.poll).toMatchObject({
    title: 'Which tea?',
    options: [
      { id: '0', label: 'Green' },
      { id: '1', label: 'Black' },
    ],
    maxChoices: 2,
    isPublic: false,
    endsAt: null,
  })
  expect((await rowsOf(reader, 'votes')).map(({ memberId, optionIds }) => [memberId, optionIds])).toEqual([['3', ['1']]])
})
