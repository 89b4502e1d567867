import { describe, expect, test } from 'vitest'
import { openDiyhi } from '#importer/server/diyhi/reader.ts'
import type { Kind, Reader, SourceRows } from '#importer/server/source.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { filesIn } from '#importer/server/tables/source-files.ts'
import { rowsOfKind } from '#importer/testing/all-rows.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import {
  diyhiComment,
  diyhiMessage,
  diyhiQuestion,
  diyhiReply,
  diyhiRights,
  diyhiSql,
  diyhiTopic,
  diyhiUser,
  userNameOf,
  type DiyhiRow,
  type DiyhiRows,
} from '#importer/testing/old-diyhi.ts'

const { write } = dumpFolder()
let dumps = 0

async function reader(rows: DiyhiRows): Promise<Reader> {
  return openDiyhi(await openDump(write(`${dumps++}.sql`, diyhiSql(rows))), filesIn(null))
}

async function read<K extends Kind>(kind: K, rows: DiyhiRows): Promise<SourceRows[K][]> {
  return rowsOfKind(await reader(rows), kind)
}

const users = [1, 2, 3, 4].map((id) => diyhiUser(id, `m${id}`, 'x'))

describe('a member', () => {
  const member = async (its: DiyhiRow, rows: DiyhiRows = {}) =>
    (await read('members', { ...rows, user: [diyhiUser(1, 'ann', 'x', its)] }))[0]

  test.each([
    ['12.3456', 1234n],
    ['0.9900', 99n],
    ['7', 700n],
    ['-1.5000', -150n],
  ])('with a balance of %s yuan has %d cents', async (deposit, cents) => {
    expect((await member({ deposit }))?.credits['deposit']).toBe(cents)
  })

  test.each([
    [10, true],
    [20, true],
    [30, true],
    [40, false],
    [80, false],
  ])('of type %d has a password: %s', async (type, has) => {
    expect((await member({ type }))?.password !== null).toBe(has)
  })

  test.each([
    [1, 0],
    [2, 1],
    [11, 1],
    [12, 1],
  ])('of state %d is shut out by %d bans', async (state, bans) => {
    expect((await member({ state }))?.bans).toHaveLength(bans)
  })

  test.each([
    ['2999-01-01 00:00:00', null],
    ['2030-06-01 08:00:00', new Date('2030-06-01T00:00:00Z')],
  ])('has a role until %s', async (validPeriodEnd, until) => {
    const userrolegroup = [{ id: 1, userName: userNameOf(1), userRoleId: 'r1', validPeriodEnd }]
    expect((await member({}, { userrolegroup }))?.groups).toEqual([{ id: 'r1', until }])
  })

  test.each([
    [true, true],
    [false, false],
    [null, true],
  ])('whose feed is shown: %s, shows it: %s', async (allowUserDynamic, shows) => {
    expect((await member({ allowUserDynamic }))?.showsActivity).toBe(shows)
  })

  test('whose account is cancelled is none', async () => {
    expect(await member({ cancelAccountTime: 1_700_000_000_000 })).toBeUndefined()
  })
})

describe('the clock of the server', () => {
  const registered = (shown: string, moment: number) => ({ registrationDate: shown, securityDigest: moment })
  const noon = Date.UTC(2024, 0, 1, 12)

  test.each([
    ['in China', '2024-01-01 20:00:00', noon],
    ['in UTC', '2024-01-01 12:00:00', noon],
    ['in India', '2024-01-01 17:30:01', noon],
    ['in New York', '2024-01-01 07:00:00', noon],
    ['unknown, as of China', '2024-01-01 20:00:00', 0],
  ])('%s is known from when members registered', async (_, shown, moment) => {
    const changed = diyhiUser(3, 'changed', 'x', registered(shown, noon + 86_400_000 * 30))
    const user = [diyhiUser(1, 'a', 'x', registered(shown, moment)), diyhiUser(2, 'b', 'x', registered(shown, moment)), changed]
    const [first] = await read('members', { user })
    expect(Math.abs((first?.joinedAt?.getTime() ?? 0) - noon)).toBeLessThan(2_000)
  })
})

describe('a tag', () => {
  const tag = [{ id: 5, name: '茶', sort: 0, image: null, childNodeNumber: 0, parentId: 0 }]
  const role = (id: string, codes: readonly number[], defaultRole = false) => {
    return { id, defaultRole, name: id, userResourceFormat: diyhiRights([{ tagId: 5, codes }]) }
  }
  const broken = { id: 'b', defaultRole: true, name: 'b', userResourceFormat: '[{"type":20' }

  test.each([
    ['without roles is everybody’s', [], 'everybody', 'members', 'members'],
    ['that the default role may view is visitors’ too', [role('d', [1_000, 2_000, 7_000], true)], 'everybody', 'members', 'members'],
    ['that one role may view is theirs', [role('d', [], true), role('v', [1_000, 7_000])], ['v'], [], ['v']],
    ['in which one role writes is read by all', [role('d', [1_000, 7_000], true), role('v', [2_000])], 'everybody', ['v'], 'members'],
    ['whose rights cannot be read is nobody’s', [broken], [], [], []],
  ])('%s', async (_, userrole, readers, writers, commenters) => {
    expect(await read('tags', { tag, userrole })).toMatchObject([{ id: 'topic/5', readers, writers, commenters }])
  })

  test('comes by its sort, the highest first, those of questions behind', async () => {
    const [one] = tag
    const tags = await read('tags', {
      tag: [
        { ...one, id: 6, sort: 1 },
        { ...one, id: 7, sort: 9 },
      ],
      questiontag: [{ ...one, id: 6 }],
    })
    expect(tags.map(({ id }) => id)).toEqual(['topic/7', 'topic/6', 'question/6'])
  })
})

test.each([
  [10, 'pending'],
  [20, 'published'],
  [110, 'deleted'],
  [120, 'deleted'],
  [100_010, 'deleted'],
  [100_020, 'deleted'],
])('a post of status %d is %s', async (status, state) => {
  expect((await read('threads', { user: users, topic: [diyhiTopic(1, 'a', 'a', { status })] }))[0]?.opening.state).toBe(state)
  expect((await read('comments', { user: users, comment: [diyhiComment(1, 1, 2, 'a', { status })] }))[0]?.state).toBe(state)
})

test.each([
  [',', null],
  [',3,', 'comment/3'],
  [',7,3,', 'comment/7'],
  ['', null],
])('a comment that quotes %j answers %j, the nearest', async (quoteIdGroup, answersId) => {
  expect((await read('comments', { user: users, comment: [diyhiComment(9, 1, 2, 'a', { quoteIdGroup })] }))[0]?.answersId).toBe(answersId)
})

test('an author who is gone, or is staff, is a guest, staff by the name that they show', async () => {
  const comment = [
    diyhiComment(1, 1, 9, 'a'),
    diyhiComment(2, 1, 2, 'a', { isStaff: true, userName: 'root' }),
    diyhiComment(3, 1, 2, 'a', { isStaff: true, userName: 'dismissed' }),
  ]
  const sysusers = [{ userId: 'u', issys: true, userDuty: '', userAccount: 'root', nickname: '掌柜' }]
  const comments = await read('comments', { user: users, sysusers, comment })
  expect(comments.map(({ author }) => author)).toEqual([{ guestName: '' }, { guestName: '掌柜' }, { guestName: 'dismissed' }])
  expect(await (await reader({ sysusers })).staff()).toEqual([{ name: 'root', as: 'super administrator' }])
})

test('a question holds what it offers in points and cents until an answer is accepted; one of staff holds nothing', async () => {
  const question = [
    diyhiQuestion(1, 'open', '', { point: 5, amount: '1.50' }),
    diyhiQuestion(2, 'marked as deleted', '', { point: 2, status: 120 }),
    diyhiQuestion(3, 'given', '', { point: 100, adoptionAnswerId: 9 }),
    diyhiQuestion(4, 'by staff', '', { point: 1_000, isStaff: true }),
  ]
  expect((await read('threads', { user: users, question })).map(({ bounties }) => bounties)).toEqual([
    [
      { credit: 'points', amount: 5n },
      { credit: 'deposit', amount: 150n },
    ],
    [{ credit: 'points', amount: 2n }],
    [],
    [],
  ])
})

test.each([
  ['[', []],
  ['', []],
  ['[{"content":"<p>a</p>","postTime":"2024-01-01 08:00:00"},', ['2024-01-01T00:00:00.000Z']],
  [
    '[{"content":"a","postTime":"2024-01-01T08:00:00"},{"content":"b","postTime":null},',
    ['2024-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ],
  ['[{"content":"a","postTime":"2024-01-01 08:00:00"}]', ['2024-01-01T00:00:00.000Z']],
  ['[{"content":null},', []],
  ['[{"content"', []],
])('what was added to a question as %j came at %j', async (appendContent, times) => {
  const [question] = await read('threads', { user: users, question: [diyhiQuestion(1, 'q', 'q', { appendContent })] })
  expect(question?.postscripts?.map(({ at }) => at.toISOString())).toEqual(times)
})

test('topics come before questions, comments before replies, each kind from its own mark', async () => {
  const rows = {
    user: users,
    topic: [diyhiTopic(1, 'a', 'a'), diyhiTopic(2, 'b', 'b')],
    question: [diyhiQuestion(1, 'q', 'q'), diyhiQuestion(3, 'r', 'r')],
    comment: [diyhiComment(1, 2, 2, 'a'), diyhiComment(2, 1, 2, 'b'), diyhiComment(3, 2, 2, 'c')],
    reply: [diyhiReply(1, 1, 2, 'd'), diyhiReply(5, 2, 2, 'e')],
  }
  const its = await reader(rows)
  expect(await its.marks()).toMatchObject({ threads: '2 3', comments: '3 5 0 0', files: '2 3 3 0', members: '4', messages: '0' })
  const ids = async (kind: 'threads' | 'comments', since: string | null) => (await rowsOfKind(its, kind, since)).map(({ id }) => id)
  expect(await ids('threads', null)).toEqual(['topic/1', 'topic/2', 'question/1', 'question/3'])
  expect(await ids('threads', '1 1')).toEqual(['topic/2', 'question/3'])
  expect(await ids('comments', null)).toEqual(['comment/2', 'comment/1', 'comment/3', 'reply/1', 'reply/5'])
  expect(await ids('comments', '2 1 0 0')).toEqual(['comment/3', 'reply/5'])
})

test.each([
  [[20, 10], false, []],
  [[20, 20], true, []],
  [[120, 10], false, [1]],
  [[20, 120], true, [2]],
  [[20, 110], false, [2]],
] as const)('a message whose copies have the states %j is read: %s, and gone for %j', async (status, isRead, gone) => {
  const messages = await read('messages', { user: users, privatemessage: diyhiMessage(1, 1, 2, 'a', [...status]) })
  expect(messages).toMatchObject([{ authorId: userNameOf(1), readerIds: [userNameOf(2)], isRead, goneFor: gone.map(userNameOf) }])
})

test('a message without one of its copies comes by the other, and without both states not at all', async () => {
  const [ofSender, ofReceiver] = diyhiMessage(1, 1, 2, 'a')
  const read1 = await read('messages', { user: users, privatemessage: [ofSender ?? {}] })
  expect(read1).toMatchObject([{ isRead: true, goneFor: [userNameOf(2)] }])
  const read2 = await read('messages', { user: users, privatemessage: [ofReceiver ?? {}] })
  expect(read2).toMatchObject([{ isRead: false, goneFor: [userNameOf(1)] }])
  expect(await read('messages', { user: users, privatemessage: diyhiMessage(1, 1, 2, 'a', [120, 110]) })).toEqual([])
})

test('messages of one moment between several members are told apart, in whatever tables they lie', async () => {
  const privatemessage = [
    [1, 2],
    [2, 1],
    [1, 3],
    [3, 4],
    [4, 1],
  ].flatMap(([from = 0, to = 0]) => diyhiMessage(7, from, to, `${from} to ${to}`))
  const messages = await read('messages', { user: users, privatemessage })
  expect(messages.map(({ authorId, readerIds }) => `${authorId.at(-1)} to ${readerIds[0]?.at(-1)}`).toSorted()).toEqual([
    '1 to 2',
    '1 to 3',
    '2 to 1',
    '3 to 4',
    '4 to 1',
  ])
})

test('a file that several texts show comes once, with the author of the first', async () => {
  const shown = '<img src="file/topic/2024-02-01/image/a.png"><a href="file/topic/2024-02-01/file/b.zip">茶单.zip</a>'
  const files = await read('files', {
    user: users,
    topic: [diyhiTopic(1, 'a', shown)],
    comment: [diyhiComment(1, 1, 2, `${shown}<img src="file/comment/1/c.png">`)],
    question: [
      diyhiQuestion(1, 'q', 'q', { appendContent: '[{"content":"<img src=\\"file/question/2024-02-03/image/d.png\\">","postTime":null},' }),
    ],
  })
  expect(files.map(({ id, ownerId, name }) => [id, ownerId?.at(-1), name])).toEqual([
    ['file/topic/2024-02-01/image/a.png', '1', 'a.png'],
    ['file/topic/2024-02-01/file/b.zip', '1', '茶单.zip'],
    ['file/question/2024-02-03/image/d.png', '1', 'd.png'],
    ['file/comment/1/c.png', '2', 'c.png'],
  ])
})

test('a database of another program is refused', async () => {
  await expect(
    openDump(write('other.sql', 'CREATE TABLE `users` (id int);')).then((tables) => openDiyhi(tables, filesIn(null))),
  ).rejects.toThrow('There is no diyhi/bbs')
})
