import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import type { Forum } from '#base/testing/forum.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Kind, SourceRows } from '#importer/server/source.ts'
import { commentsIn, messagesIn, movedIn } from '#importer/testing/moved-in.ts'
import { writeDump, type Key } from '#importer/testing/nodebb-keys.ts'
import { aNodebb, category, member, rowsOf, topic } from '#importer/testing/nodebb-reading.ts'

const board = [...category('5'), ...member('2'), ...member('3')]
const post = (pid: string, fields: Record<string, unknown>): Key => ({
  key: `post:${pid}`,
  hash: { pid, tid: 1, uid: 2, content: `post ${pid}`, timestamp: 1_000, ...fields },
})

/** Keys, of which a later one of a hash replaces earlier ones. */
function withLater(keys: readonly Key[]): Key[] {
  return keys.filter((one, at) => !('hash' in one) || !keys.slice(at + 1).some(({ key }) => key === one.key))
}

type Read = <K extends Kind>(kind: K) => Promise<SourceRows[K][]>
type Case = { fact: string; source: string; keys: readonly Key[]; found: (rows: Read) => Promise<unknown>; expected: unknown }

const categories: Case[] = [
  {
    fact: 'a category that is its own parent stands at the top',
    source: 'NodeBB/NodeBB#3614',
    keys: [...category('5', { parentCid: 5 }), ...category('6', { parentCid: 5 })],
    found: async (rows) => (await rows('tags')).map(({ id, parentId }) => [id, parentId]),
    expected: [
      ['5', null],
      ['6', null],
    ],
  },
  {
    fact: 'a category that is gone but for its number in a list is none, and those below it stand at the top',
    source: 'NodeBB/NodeBB#3633',
    keys: [...category('5'), { key: 'categories:cid', sorted: { 9: 9 } }, ...category('6', { parentCid: 9 })],
    found: async (rows) => (await rows('tags')).map(({ id, parentId }) => [id, parentId]),
    expected: [
      ['5', null],
      ['6', null],
    ],
  },
  {
    fact: 'a topic of a category that is gone is none, nor are its posts',
    source: 'akhoury/nodebb-plugin-import#209',
    keys: [...board, ...topic('1', ['1', '2'], { cid: 77 })],
    found: async (rows) => [await rows('threads'), await rows('comments')],
    expected: [[], []],
  },
]

const posts: Case[] = [
  {
    fact: 'a title is as it was typed, with its entities',
    source: 'NodeBB/NodeBB#1498',
    keys: [...board, ...topic('1', ['1'], { title: 'guitar & drums &amp; more' })],
    found: async (rows) => (await rows('threads')).map(({ title }) => title),
    expected: ['guitar & drums &amp; more'],
  },
  {
    fact: 'posts of a topic that is deleted keep their own states',
    source: 'NodeBB/NodeBB#7823',
    keys: withLater([...board, ...topic('1', ['1', '2', '3'], { deleted: 1 }), post('3', { deleted: 1 })]),
    found: async (rows) => [
      (await rows('threads')).map(({ opening }) => opening.state),
      (await rows('comments')).map(({ state }) => state),
    ],
    expected: [['deleted'], ['published', 'deleted']],
  },
  {
    fact: 'a post without a time of its own has that of its place, or of its topic',
    source: 'akhoury/nodebb-plugin-import#147',
    keys: withLater([
      ...board,
      ...topic('1', ['1', '2'], { timestamp: 7_000 }),
      post('1', { timestamp: 'NaN' }),
      post('2', { timestamp: '' }),
    ]),
    found: async (rows) => [
      (await rows('threads')).map(({ opening }) => opening.publishedAt.getTime()),
      (await rows('comments')).map(({ publishedAt }) => publishedAt.getTime()),
    ],
    expected: [[7_000], [1_000]],
  },
  {
    fact: 'a short post, and one without a text, come',
    source: 'vimla-se/lithium-nodebb-migrator#11',
    keys: withLater([...board, ...topic('1', ['1', '2', '3']), post('2', { content: 'Bra!' }), post('3', { content: '' })]),
    found: async (rows) => (await rows('comments')).map(({ body }) => toText(body.document)),
    expected: ['Bra!', ''],
  },
  {
    fact: 'a name in code is no mention',
    source: 'julianlam/nodebb-plugin-mentions#69',
    keys: withLater([
      ...board,
      { key: 'userslug:uid', sorted: { before: 3 } },
      ...topic('1', ['1']),
      post('1', { content: '```\n@before\n```' }),
    ]),
    found: async (rows) => JSON.stringify((await rows('threads'))[0]?.opening.body.document).includes('import:member'),
    expected: false,
  },
  {
    fact: 'a post of a member who is gone is nobody’s',
    source: 'NodeBB/NodeBB#1284',
    keys: withLater([...board, ...topic('1', ['1', '2']), post('2', { uid: 44 })]),
    found: async (rows) => (await rows('comments')).map(({ author }) => author),
    expected: [{ guestName: '' }],
  },
]

const others: Case[] = [
  {
    fact: 'files of the same name are two files',
    source: 'NodeBB/NodeBB#7853',
    keys: withLater([
      ...board,
      { key: 'posts:pid', sorted: { 1: 1 } },
      ...topic('1', ['1']),
      post('1', { content: [1, 2].map((one) => `![a](/assets/uploads/files/170000000000${one}-tea.png)`).join('\n') }),
    ]),
    found: async (rows) => (await rows('files')).map(({ path, name }) => [path, name]),
    expected: [
      ['files/1700000000001-tea.png', 'tea.png'],
      ['files/1700000000002-tea.png', 'tea.png'],
    ],
  },
  {
    fact: 'a reputation below zero stays below zero',
    source: 'NodeBB/nodebb-rewards-essentials#14',
    keys: member('2', { reputation: -5 }),
    found: async (rows) => (await rows('members')).map(({ credits }) => credits['reputation']),
    expected: [-5n],
  },
  {
    fact: 'votes of an account that is gone are none',
    source: 'NodeBB/NodeBB#3779',
    keys: [...board, ...topic('1', ['1']), { key: 'uid:44:upvote', sorted: { 1: 1 } }, { key: 'uid:3:upvote', sorted: { 1: 1 } }],
    found: async (rows) => (await rows('likes')).map(({ memberId }) => memberId),
    expected: ['3'],
  },
]

test.each([...categories, ...posts, ...others])('$fact ($source)', async ({ keys, found, expected }) => {
  const reader = await aNodebb(keys)
  expect(await found((kind) => rowsOf(reader, kind))).toEqual(expected)
})

// NodeBB/NodeBB#10783
test('a picture whose smaller copy is gone is the picture itself', async () => {
  const there = new Map([
    ['files/1-tea.png', 'large'],
    ['files/2-tea-resized.png', 'small'],
  ])
  const files = async (path: string) => (there.has(path) ? Buffer.from(there.get(path) ?? '') : null)
  const reader = await aNodebb([], {}, files)
  const read = async (path: string) => (await reader.bytesOf(path))?.toString() ?? null
  expect(await Promise.all(['files/1-tea-resized.png', 'files/2-tea-resized.png', 'files/3-tea-resized.png'].map(read))).toEqual([
    'large',
    'small',
    null,
  ])
})

const room = (id: string, uids: readonly number[], messages: Record<string, number>): Key[] => [
  { key: 'chat:rooms', sorted: { [id]: Number(id) } },
  { key: `chat:room:${id}`, hash: { roomId: id } },
  { key: `chat:room:${id}:uids`, sorted: Object.fromEntries(uids.map((uid) => [uid, 1])) },
  { key: `chat:room:${id}:mids`, sorted: messages },
]
const message = (mid: string, fromuid: number): Key => ({
  key: `message:${mid}`,
  hash: { mid, fromuid, content: `message ${mid}`, timestamp: 1_000 },
})

const oddBoard = withLater([
  { key: 'global', hash: { nextUid: 99, nextTid: 99, nextPid: 99, nextMid: 99 } },
  ...category('5'),
  ...member('2', { username: 'Ann', email: 'one@example.org', 'email:confirmed': 1 }),
  ...member('3', { username: 'ann', email: 'one@example.org', 'email:confirmed': 1 }),
  ...member('4', { username: 'Mei' }),
  ...topic('1', ['1', '2', '3', '4']),
  post('2', { toPid: 77 }),
  post('3', { toPid: 2 }),
  post('4', { uid: 0, handle: 'Mei' }),
  ...topic('6', ['60'], { title: 'Poll' }),
  post('60', { tid: 6, pollId: 1 }),
  { key: 'poll:1', hash: { title: 'Which?', options: '[{"id":0,"title":"a"},{"id":1,"title":"b"}]', end: 2_000 } },
  ...room('1', [2, 44], { 1: 1_000 }),
  ...room('2', [2, 3], { 2: 1_000 }),
  message('1', 2),
  message('2', 2),
])

type Written = { fact: string; source: string; found: (forum: Forum) => Promise<unknown>; expected: unknown }

const written: Written[] = [
  {
    fact: 'members whose names differ by case alone are two',
    source: 'NodeBB/NodeBB#33',
    found: async ({ database: { app } }) =>
      (await app.selectFrom('member').select('account').where('account', 'ilike', 'ann%').orderBy('id').execute()).map(
        ({ account }) => account,
      ),
    expected: ['Ann', 'ann-2'],
  },
  {
    fact: 'an e-mail address is of the first member who has it',
    source: 'akhoury/nodebb-plugin-import#92',
    found: ({ database: { app } }) =>
      app.selectFrom('import_note').select('samples').where('note', '=', 'e-mail address that another member has').execute(),
    expected: [{ samples: ['ann'] }],
  },
  {
    fact: 'a guest with the name of a member is another',
    source: 'NodeBB/NodeBB#4677',
    found: async (forum) => (await commentsIn(forum)).flatMap(({ text, author }) => (text === 'post 4' ? [author] : [])),
    expected: ['Mei-2'],
  },
  {
    fact: 'an answer to a post that is purged answers none',
    source: 'NodeBB/NodeBB#8954',
    found: async ({ database: { app } }) =>
      (await app.selectFrom('comment').select('quotes').orderBy('floor').execute()).map(({ quotes }) => quotes !== null),
    expected: [false, true, false],
  },
  {
    fact: 'a poll that is over is over',
    source: 'NodeBB/nodebb-plugin-poll#136',
    found: ({ database: { app } }) => app.selectFrom('poll').select(['title', 'ended_at', 'end_reason']).execute(),
    expected: [{ title: 'Which?', ended_at: new Date(2_000), end_reason: 'due' }],
  },
  {
    fact: 'a message to a member who is gone is counted, and the others come',
    source: 'NodeBB/NodeBB#3998',
    found: async (forum) => [
      (await messagesIn(forum)).map(({ text }) => text),
      await forum.database.app.selectFrom('import_note').select(['count', 'samples']).where('note', 'like', 'message whose%').execute(),
    ],
    expected: [['message 2'], [{ count: '1', samples: ['1'] }]],
  },
]

describe('an import', () => {
  let forum: Forum
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nodebb-cases-'))
    afterFile(async () => rmSync(folder, { recursive: true, force: true }))
    forum = await movedIn('nodebb', { from: writeDump(folder, oddBoard), origin: 'https://tea.example/' })
  })

  test.each(written)('$fact ($source)', async ({ found, expected }) => expect(await found(forum)).toEqual(expected))
})
