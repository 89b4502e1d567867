import { describe, expect, test } from 'vitest'
import { aNodebb, category, member, rowsOf, topic } from '#importer/testing/nodebb-reading.ts'
import type { Key } from '#importer/testing/nodebb-keys.ts'

const now = new Date(100_000)
const group = (name: string, uids: readonly number[], fields: Record<string, unknown> = {}): Key[] => [
  { key: 'groups:createtime', sorted: { [name]: 1 } },
  { key: `group:${name}`, hash: { name, ...fields } },
  { key: `group:${name}:members`, sorted: Object.fromEntries(uids.map((uid) => [uid, 1])) },
]
const privilege = (cid: number, name: string, ...groups: string[]): Key => ({
  key: `group:cid:${cid}:privileges:groups:${name}:members`,
  sorted: Object.fromEntries(groups.map((one) => [one, 1])),
})

describe('members', () => {
  // NodeBB #11545, #13198, #10236
  test('an address is confirmed only where the account says so', async () => {
    const reader = await aNodebb([
      ...member('2', { email: 'a@example.org', 'email:confirmed': 1 }),
      ...member('3', { email: 'old@example.org' }),
      ...member('4'),
      { key: 'confirm:byUid:4', text: 'code' },
      { key: 'confirm:code', hash: { uid: 4, email: 'new@example.org', expires: 1 } },
      ...member('5', { email: '' }),
      { key: 'confirm:byUid:5', text: 'code' },
    ])
    expect((await rowsOf(reader, 'members')).map(({ email }) => email)).toEqual([
      { address: 'a@example.org', isConfirmed: true },
      { address: 'old@example.org', isConfirmed: false },
      { address: 'new@example.org', isConfirmed: false },
      null,
    ])
  })

  // NodeBB #5350, #6685, #7547
  test('a ban lasts until its end, and for ever without one', async () => {
    const reader = await aNodebb(
      [
        ...member('2', { banned: 1, 'banned:expire': 90_000 }),
        ...member('3', { banned: 1, 'banned:expire': 110_000 }),
        ...member('4', { banned: 1, 'banned:expire': 0 }),
        ...member('5'),
        ...member('6', { banned: 0 }),
        ...member('7', { muted: 1, mutedUntil: 110_000, mutedReason: 'loud' }),
        ...member('8', { mutedUntil: 90_000 }),
        { key: 'users:banned', sorted: { 2: 1, 3: 1, 4: 1, 5: 1 } },
        { key: 'uid:4:bans:timestamp', sorted: { 'uid:4:ban:1': 1, 'uid:4:ban:2': 2 } },
        { key: 'uid:4:ban:1', hash: { reason: 'first' } },
        { key: 'uid:4:ban:2', hash: { reason: 'spam' } },
      ],
      { now },
    )
    expect((await rowsOf(reader, 'members')).map(({ bans }) => bans)).toEqual([
      [],
      [{ from: 'logging in', reason: '', until: new Date(110_000) }],
      [{ from: 'logging in', reason: 'spam', until: null }],
      [{ from: 'logging in', reason: '', until: null }],
      [],
      [{ from: 'posting', reason: 'loud', until: new Date(110_000) }],
      [],
    ])
  })

  test('a hash of the password itself says so, and what is no hash is none', async () => {
    const hash = `$2a$10$${'a'.repeat(53)}`
    const reader = await aNodebb([
      ...member('2', { password: hash, 'password:shaWrapped': 1 }),
      ...member('3', { password: hash }),
      ...member('4', { password: 'secret' }),
      ...member('5'),
    ])
    expect((await rowsOf(reader, 'members')).map(({ password }) => password)).toEqual([
      { family: 'nodebb', hash },
      { family: 'nodebb', hash, salt: 'plain' },
      null,
      null,
    ])
  })

  test('a profile has its answers, texts, reputation and own picture', async () => {
    const reader = await aNodebb([
      ...member('2', {
        username: '1984',
        picture: '/assets/uploads/profile/uid-2/2-profileavatar-1.png',
        location: ' Suzhou ',
        fullname: '',
        tea: 'green',
        aboutme: 'I like tea.',
        signature: 'Ann',
        reputation: -3,
        lastonline: 5_000,
      }),
      ...member('3', { picture: 'https://gravatar.example/x.png' }),
      { key: 'user-custom-fields', sorted: { tea: 1 } },
      { key: 'user-custom-field:tea', hash: { key: 'tea', name: 'Favourite tea' } },
    ])
    const [ann, other] = await rowsOf(reader, 'members')
    expect(ann).toMatchObject({
      name: '1984',
      avatar: 'profile/uid-2/2-profileavatar-1.png',
      fields: { Location: 'Suzhou', 'Favourite tea': 'green' },
      about: 'I like tea.\n\nAnn',
      credits: { reputation: -3n },
      joinedAt: new Date(1_000),
      lastSeenAt: new Date(5_000),
    })
    expect(other).toMatchObject({ avatar: null, fields: {}, about: '', credits: {}, lastSeenAt: null })
    expect(await reader.bytesOf('profile/a.png')).toEqual(Buffer.from('profile/a.png'))
    expect(await reader.bytesOf('../config.json')).toBeNull()
  })
})

test('groups come without privileges; built-in, hidden and staff ones say so', async () => {
  const reader = await aNodebb([
    ...group('administrators', [2], { system: 1 }),
    ...group('Global Moderators', [3], { system: 1 }),
    ...group('registered-users', [2, 3, 4], { system: 1 }),
    ...group('Tea Masters', [3, 4]),
    ...group('secret', [4], { hidden: 1 }),
    ...group('cid:5:privileges:moderate', [4], { system: 1, hidden: 1 }),
    ...category('5', { name: 'Leaves' }),
    ...member('2'),
    ...member('3'),
    ...member('4'),
  ])
  const groups = await rowsOf(reader, 'groups')
  expect(groups.map(({ id, isBuiltIn, isStaff }) => [id, isBuiltIn, isStaff])).toEqual([
    ['Global Moderators', false, true],
    ['Tea Masters', false, false],
    ['administrators', false, true],
    ['registered-users', true, false],
    ['secret', true, false],
  ])
  expect((await rowsOf(reader, 'members')).map(({ groups: own }) => own.map(({ id }) => id))).toEqual([
    ['administrators'],
    ['Global Moderators', 'Tea Masters'],
    ['Tea Masters'],
  ])
  expect(await reader.staff()).toEqual([
    { name: 'Member 2', as: 'administrator' },
    { name: 'Member 3', as: 'global moderator' },
    { name: 'Member 4', as: 'moderator of Leaves' },
  ])
})

test('categories come in their tree, with their readers and writers', async () => {
  const all = (cid: number, ...groups: string[]) => ['find', 'read', 'topics:read'].map((name) => privilege(cid, name, ...groups))
  const reader = await aNodebb([
    ...category('1', { order: 2 }),
    ...category('2', { parentCid: 1, order: 1 }),
    ...category('3', { order: 1 }),
    ...category('4', { parentCid: 99, order: 3 }),
    ...category('6', { link: 'https://example.org', topic_count: 0 }),
    ...category('7', { disabled: 1, order: 9 }),
    ...category('8', { parentCid: 9 }),
    ...category('9', { parentCid: 8 }),
    { key: 'categories:cid', sorted: { 'https://other.example/c': 1 } },
    ...all(1, 'guests', 'registered-users', 'administrators'),
    privilege(1, 'topics:create', 'registered-users'),
    ...all(2, 'registered-users'),
    privilege(2, 'topics:create', 'Tea Masters', 'administrators'),
    ...all(3, 'Tea Masters', 'Global Moderators'),
    privilege(4, 'find', 'guests', 'registered-users', 'Tea Masters'),
    privilege(4, 'read', 'registered-users', 'Tea Masters'),
    privilege(4, 'topics:read', 'guests', 'Tea Masters'),
    ...all(7, 'guests'),
    { key: 'cid:2:privilegeMask', set: ['topics:create'] },
  ])
  expect((await rowsOf(reader, 'tags')).map((tag) => [tag.id, tag.parentId, tag.order, tag.readers, tag.writers])).toEqual([
    ['3', null, 0, ['Tea Masters'], []],
    ['1', null, 1, 'everybody', 'members'],
    ['2', '1', 2, 'members', []],
    ['4', null, 3, ['Tea Masters'], []],
    ['7', null, 4, [], []],
    ['8', null, 5, [], []],
    ['9', null, 6, [], []],
  ])
})

describe('what members keep', () => {
  const base = [...category('5'), ...member('2'), ...member('3'), ...topic('1', ['1', '2', '3']), ...topic('4', ['4'])]

  test('several bookmarks in a thread are one favourite, of the first', async () => {
    const reader = await aNodebb([...base, { key: 'uid:2:bookmarks', sorted: { 3: 10, 2: 20, 4: 30, 77: 40 } }])
    expect(await rowsOf(reader, 'favourites')).toEqual([
      { threadId: '1', memberId: '2', at: new Date(10) },
      { threadId: '4', memberId: '2', at: new Date(30) },
    ])
  })

  test('follows have their levels; people of other servers are followed by none', async () => {
    const reader = await aNodebb([
      ...base,
      { key: 'uid:2:ignored_tids', sorted: { 4: 10 } },
      { key: 'following:2', sorted: { 3: 20 } },
      { key: 'followingRemote:2', sorted: { 'https://other.example/u/bo': 20 } },
      { key: 'cid:5:uid:watch:state', sorted: { 2: 3, 3: 2, 'https://other.example/u/bo': 4 } },
    ])
    expect(await rowsOf(reader, 'follows')).toEqual([
      { of: 'thread', id: '4', memberId: '2', level: 'muted', at: new Date(10) },
      { of: 'member', id: '3', memberId: '2', level: 'watching', at: new Date(20) },
      { of: 'tag', id: '5', memberId: '2', level: 'tracking', at: null },
    ])
  })

  test('messages of some people have all others as readers, and public rooms, notes and deleted ones are none', async () => {
    const room = (id: number, mids: Record<string, number>, uids: (number | string)[], fields: Record<string, unknown> = {}): Key[] => [
      { key: 'chat:rooms', sorted: { [id]: id } },
      { key: `chat:room:${id}`, hash: { roomId: id, ...fields } },
      { key: `chat:room:${id}:mids`, sorted: mids },
      { key: `chat:room:${id}:uids`, sorted: Object.fromEntries(uids.map((uid) => [uid, 1])) },
    ]
    const message = (mid: number, fields: Record<string, unknown>): Key => ({
      key: `message:${mid}`,
      hash: { mid, fromuid: 2, content: 'tea', timestamp: 1_000, ...fields },
    })
    const reader = await aNodebb([
      ...base,
      ...member('4'),
      ...room(1, { 1: 1, 2: 2, 3: 3, 4: 4 }, [2, 3, 4, 'https://other.example/u/bo'], { roomName: 'Tea' }),
      ...room(2, { 5: 1 }, [2, 3], { public: 1 }),
      ...room(3, { 6: 1 }, [2]),
      message(1, {}),
      message(2, { fromuid: 3, content: 'yes @nobody' }),
      message(3, { system: 1, content: 'user-join' }),
      message(4, { deleted: 1 }),
      message(5, {}),
      message(6, {}),
      { key: 'uid:4:chat:rooms:unread', sorted: { 1: 1, 9: 1 } },
    ])
    const messages = await rowsOf(reader, 'messages')
    expect(messages.map(({ id, authorId, readerIds, title, isRead }) => [id, authorId, readerIds, title, isRead])).toEqual([
      ['1', '2', ['3', '4'], 'Tea', false],
      ['2', '3', ['2', '4'], 'Tea', false],
    ])
  })
})
