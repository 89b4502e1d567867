import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { linksOf } from '#base/rich-text/to-text.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { aForum } from '#base/testing/forum.ts'
import { addReply, listComments } from '#comment/contract.ts'
import { send } from '#message/contract.ts'
import { publishTopic } from '#topic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { runImport } from '#importer/server/run.ts'
import { undoImport } from '#importer/server/undo.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import type { Reader } from '#importer/server/source.ts'
import {
  aReader,
  aSourceComment,
  aSourceMember,
  aSourceThread,
  bodyOf,
  minute,
  twoTags,
  type Community,
} from '#importer/testing/small-community.ts'
import * as role from '#role/server/role.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { bookChecks } from '#apps/server/features.ts'

const mapping = mappingSchema.parse({ points: 'p', money: { credit: 'm', centsPerUnit: 10 }, groups: {}, members: {}, language: 'en' })

const linkTo = (href: string): Block => ({
  type: 'paragraph',
  content: [{ type: 'text', text: 'see', marks: [{ type: 'link', attrs: { href } }] }],
})

const community: Community = {
  groups: [
    { id: 'vip', name: 'VIP', isBuiltIn: false, isStaff: false },
    { id: 'mods', name: 'Moderators', isBuiltIn: false, isStaff: true },
  ],
  tags: [
    ...(twoTags ?? []),
    { id: '3', parentId: '2', name: 'Only VIP', description: '', order: 2, readers: ['vip'], writers: ['vip'] },
    { id: '4', parentId: '1', name: 'Inside', description: '', order: 3, readers: 'members', writers: 'members' },
  ],
  members: [
    aSourceMember('1', 'Ann Lee', {
      email: { address: 'ann@example.org', isConfirmed: true },
      credits: { p: 120n, m: 5n },
      about: 'Tea',
      fields: { Place: 'Hangzhou', Long: 'x'.repeat(300), Drinks: '绿茶' },
    }),
    aSourceMember('2', '老陈', {
      credits: { p: -30n },
      groups: [
        { id: 'vip', until: null },
        { id: 'mods', until: null },
      ],
    }),
    aSourceMember('3', 'ANN LEE', { bans: [{ from: 'logging in', reason: 'Spam', until: null }] }),
    aSourceMember('4', 'Mei', { bans: [{ from: 'posting', reason: 'Loud', until: new Date('2199-01-01T00:00:00Z') }] }),
  ],
  threads: [
    aSourceThread(
      '1',
      { pin: 1, isFeatured: true },
      {
        body: bodyOf({
          type: 'bulletList',
          content: [
            { type: 'listItem', content: [linkTo('https://old.example/forum/viewtopic.php?p=11'), linkTo('./viewtopic.php?t=4711')] },
          ],
        }),
      },
    ),
    aSourceThread('2', { kind: 'question', isLocked: true }),
    aSourceThread('3', { tagId: '3', tags: ['spring', '春'] }, { author: { guestName: 'Ann Lee' }, state: 'deleted' }),
    aSourceThread('4', {}, { state: 'pending' }),
    aSourceThread('5', {
      poll: {
        title: 'Which?',
        options: [
          { id: 'a', label: 'Green' },
          { id: 'b', label: 'Green' },
        ],
        maxChoices: 1,
        isPublic: false,
        showsResults: 'always',
        endsAt: null,
      },
    }),
    aSourceThread(
      '6',
      {},
      {
        body: bodyOf('open', {
          type: 'hidden',
          attrs: { lock: 'points', value: '5' },
          content: [{ type: 'paragraph', content: [{ type: 'text', text: 'paid words' }] }],
        }),
      },
    ),
  ],
  moved: [{ id: '99', threadId: '1' }],
  comments: [
    aSourceComment('11', '1', 1),
    aSourceComment('12', '1', 2, { author: { memberId: '1' }, answersId: '11' }),
    aSourceComment('13', '1', 3, { state: 'deleted' }),
    aSourceComment('14', '1', 4, { state: 'pending' }),
    aSourceComment('15', '1', 5, {
      author: { guestName: 'Passer-by' },
      body: bodyOf({
        type: 'paragraph',
        content: [
          { type: 'text', text: 'see', marks: [{ type: 'link', attrs: { href: './viewtopic.php?p=11' } }] },
          { type: 'mention', attrs: { id: 'import:name/老陈', label: '老陈' } },
          { type: 'mention', attrs: { id: 'import:name/Nobody', label: 'Nobody' } },
        ],
      }),
    }),
    aSourceComment('16', '1', 6, { belowId: '11' }),
    aSourceComment('21', '2', 7),
    aSourceComment('31', '3', 8),
  ],
  accepted: [{ threadId: '2', acceptedId: '21' }],
  votes: [{ threadId: '5', memberId: '2', optionIds: ['b'], at: null }],
  unlocks: [{ threadId: '6', memberId: '2' }],
  likes: [
    { postId: '11', memberId: '1', at: null },
    { postId: 'opening-1', memberId: '2', at: null },
    { postId: '16', memberId: '1', at: null },
    { postId: '11', memberId: '1', at: null },
  ],
  favourites: [{ threadId: '1', memberId: '2', at: null }],
  follows: [
    { of: 'thread', id: '1', memberId: '2', level: 'watching', at: null },
    { of: 'member', id: '1', memberId: '2', level: 'watching', at: null },
    { of: 'tag', id: '2', memberId: '1', level: 'tracking', at: null },
  ],
  messages: [
    { id: '1', authorId: '1', readerIds: ['2', '4'], title: 'Hello', body: bodyOf('secret'), sentAt: minute(9), isRead: false },
    { id: '2', authorId: '2', readerIds: ['1'], title: '', body: bodyOf('yes'), sentAt: minute(10), isRead: true },
  ],
}

const targetOf = (address: URL) => {
  const post = address.searchParams.get('p')
  return post ? ({ to: 'post', id: post } as const) : null
}

async function aMovedIn(reader: Reader = aReader(community)) {
  const forum = await aForum()
  await aStaffer(forum)
  const run = (other = reader) =>
    runImport({ database: forum.database, ownerUrl: forum.ownerUrl, reader: other, targetOf, mapping, report: () => undefined })
  return { forum, run, importId: await run() }
}

const { forum, importId } = await aMovedIn()
const db = forum.database.app

async function idOf(kind: string, oldId: string): Promise<string> {
  const row = await db
    .selectFrom('import_row')
    .select('new_id')
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('old_id', '=', oldId)
    .executeTakeFirstOrThrow()
  return row.new_id
}

test('counters and newest posts agree with their rows', async () => {
  expect(await counterMismatches(db)).toEqual([])
  expect(await newestMismatches(db)).toEqual([])
})

test('the books hold, with what members brought along', async () => {
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
  const { rows } = await sql<{ account: string; currency: string; balance: string; earned: string }>`
    select member.account, currency, balance, points_earned as earned from ledger.account join member on member.id = owner_id order by 1, 2`.execute(
    db,
  )
  expect(rows).toEqual([
    { account: 'Ann Lee', currency: 'cny', balance: '50', earned: '120' },
    { account: 'Ann Lee', currency: 'points', balance: '120', earned: '120' },
    { account: '老陈', currency: 'points', balance: '-30', earned: '-30' },
  ])
})

test('signatures and answers of the profile are in the text about a member, as far as there is room', async () => {
  const { about } = await db
    .selectFrom('member')
    .select('about')
    .where('id', '=', await idOf('member', '1'))
    .executeTakeFirstOrThrow()
  expect(about).toBe('Tea\nPlace: Hangzhou\nDrinks: 绿茶')
  const note = await db.selectFrom('import_note').select(['count', 'samples']).where('note', '=', 'profile field without room').execute()
  expect(note).toEqual([{ count: '1', samples: ['Ann Lee'] }])
})

test('a name that differs by case alone gets a number, and nobody is staff', async () => {
  const members = await db
    .selectFrom('member')
    .select(['account', 'deactivated_as'])
    .where('is_official', '=', false)
    .orderBy('id')
    .execute()
  expect(members).toEqual([
    { account: 'Guest', deactivated_as: 'cancelled' },
    { account: 'Ann Lee', deactivated_as: null },
    { account: '老陈', deactivated_as: null },
    { account: 'ANN LEE-2', deactivated_as: 'disabled' },
    { account: 'Mei', deactivated_as: null },
    { account: 'Ann Lee-3', deactivated_as: 'cancelled' },
    { account: 'Passer-by', deactivated_as: 'cancelled' },
  ])
  const held = await db
    .selectFrom('role_holding')
    .innerJoin('role', 'role.id', 'role_id')
    .select('name_en')
    .where('sort', '=', 100)
    .execute()
  expect(held).toEqual([{ name_en: 'VIP' }])
})

test('comments stand on their floors, and a reply below its comment', async () => {
  const rows = await db
    .selectFrom('comment')
    .select(['text', 'floor', 'author_floor', 'status'])
    .where('topic_id', '=', await idOf('thread', '1'))
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { text: 'text of 11', floor: 1, author_floor: null, status: 'published' },
    { text: 'text of 12', floor: 2, author_floor: 1, status: 'published' },
    { text: 'text of 13', floor: 3, author_floor: null, status: 'deleted' },
    { text: 'text of 14', floor: null, author_floor: null, status: 'pending' },
    { text: 'see@老陈@Nobody', floor: 4, author_floor: null, status: 'published' },
  ])
  const replies = await db.selectFrom('reply').select(['text', 'comment_id', 'like_count']).execute()
  expect(replies).toEqual([{ text: 'text of 16', comment_id: await idOf('comment', '11'), like_count: 1 }])
})

test('a link to another post leads to it here, and a mention to its member', async () => {
  const { body } = await db
    .selectFrom('comment')
    .select('body')
    .where('id', '=', await idOf('comment', '15'))
    .executeTakeFirstOrThrow()
  expect(body).toEqual({
    type: 'doc',
    content: [
      {
        type: 'paragraph',
        content: [
          {
            type: 'text',
            text: 'see',
            marks: [
              { type: 'link', attrs: { href: `/thread?topicId=${await idOf('thread', '1')}&commentId=${await idOf('comment', '11')}` } },
            ],
          },
          { type: 'mention', attrs: { id: await idOf('member', '2'), label: '老陈' } },
          { type: 'text', text: '@Nobody' },
        ],
      },
    ],
  })
})

test('a link to a post that came later leads to it here, and one to a post that never was to the old site', async () => {
  const id = await idOf('thread', '1')
  const { body, segments } = await db.selectFrom('topic').select(['body', 'segments']).where('id', '=', id).executeTakeFirstOrThrow()
  const addresses = [`/thread?topicId=${id}&commentId=${await idOf('comment', '11')}`, 'https://old.example/forum/viewtopic.php?t=4711']
  expect(linksOf(body as Doc)).toEqual(addresses)
  for (const address of addresses) expect(JSON.stringify(segments)).toContain(address.replace('&', '&amp;'))
  expect(await db.selectFrom('import_row').select('old_id').where('kind', '=', 'unlinked').execute()).toEqual([])
})

test('a page that shows a thread shows all of it', async () => {
  const visitor = forum.visitor()
  const topicId = await idOf('thread', '1')
  const { comments } = await visitor.call(listComments, { topicId })
  expect(comments.map(({ floor, likeCount }) => [floor, likeCount])).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 0],
  ])
})

test('a paid part stays closed but for those who had paid', async () => {
  const topicId = await idOf('thread', '6')
  const { rows } = await sql<{ member: string; open: number }>`
    select member.account as member, (select count(*)::int from hidden.reveal(${topicId}, member.id, false)) as open from member
    where account in ('老陈', 'Mei') order by 1`.execute(db)
  expect(rows).toEqual([
    { member: 'Mei', open: 0 },
    { member: '老陈', open: 1 },
  ])
  const topic = await db.selectFrom('topic').select(['body', 'segments', 'summary']).where('id', '=', topicId).executeTakeFirstOrThrow()
  expect(JSON.stringify(topic)).not.toContain('paid words')
})

test('a second run brings what came since, and nothing twice', async () => {
  const counts = () =>
    sql`select (select count(*)::int from topic) as topics, (select count(*)::int from comment) as comments, (select count(*)::int from member) as members,
    (select count(*)::int from conversation_participant) as sides, (select count(*)::int from post_like) as likes`
      .execute(db)
      .then(({ rows }) => rows[0])
  const before = await counts()
  const later = { ...community, comments: [...(community.comments ?? []), aSourceComment('17', '1', 20)] }
  await runImport({
    database: forum.database,
    ownerUrl: forum.ownerUrl,
    reader: aReader(later),
    targetOf,
    mapping,
    report: () => undefined,
  })
  expect(await counts()).toEqual({ ...(before as object), comments: 8 })
  expect(await counterMismatches(db)).toEqual([])
  expect(await newestMismatches(db)).toEqual([])
})

test('an import that is undone leaves nothing but booked balances, until a member has logged in', async () => {
  const other = await aMovedIn()
  const { app } = other.forum.database
  const [before] = await app.selectFrom('member').select('id').where('account', '=', 'Mei').execute()
  const log = { member_id: before?.id ?? '', kind: 'login' as const, ip: '192.0.2.1', user_agent: '' }
  await app.insertInto('login_log').values(log).execute()
  await expect(undoImport(other.forum, 'phpbb')).rejects.toThrow('have logged in')
  await app.deleteFrom('login_log').execute()
  await undoImport(other.forum, 'phpbb')
  const counts = await sql`select (select count(*)::int from topic) as topics, (select count(*)::int from comment) as comments,
    (select count(*)::int from tag) as tags, (select count(*)::int from contact) as addresses, (select count(*)::int from conversation_participant) as sides,
    (select count(*)::int from post_like) as likes, (select count(*)::int from reward) as rewards, (select count(*)::int from follow) as follows`.execute(
    app,
  )
  expect(counts.rows).toEqual([{ topics: 0, comments: 0, tags: 0, addresses: 0, sides: 0, likes: 0, rewards: 0, follows: 0 }])
  const members = await app.selectFrom('member').select('deactivated_as').where('is_official', '=', false).execute()
  expect(members).toEqual([{ deactivated_as: 'erased' }, { deactivated_as: 'erased' }])
  expect(await wallet.breachesIn(other.forum.database, bookChecks, null)).toEqual([])
  await other.run()
  expect(await counterMismatches(app)).toEqual([])
})

test('a forum for members is open to those who came along, and to no visitor', async () => {
  const tagId = await idOf('tag', '4')
  const held = await sql<{ account: string }>`
    select distinct member.account from role_right join role_holding using (role_id) join member on member.id = role_holding.member_id
    where tag_id = ${tagId} and right_name = 'tag.view' order by 1`.execute(db)
  expect(held.rows.map(({ account }) => account)).toEqual(['ANN LEE-2', 'Ann Lee', 'Mei', '老陈'])
  forum.database.invalidations.announce(new Set(['role']))
  const rights = await role.rightsOfVisitor(db)
  expect([
    rights.may('tag.view', tagId),
    rights.may('tag.view', await idOf('tag', '3')),
    rights.may('tag.view', await idOf('tag', '2')),
  ]).toEqual([false, false, true])
})

test('an undo is refused where others have written into what came, and removes nothing of theirs', async () => {
  const other = await aMovedIn()
  const { app } = other.forum.database
  const local = await other.forum.member()
  const placeOf = async (kind: string, oldId: string) =>
    (await app.selectFrom('import_row').select('new_id').where('kind', '=', kind).where('old_id', '=', oldId).executeTakeFirstOrThrow())
      .new_id
  other.forum.database.invalidations.announce(new Set(['role', 'tags']))
  const { topicId } = await local.call(publishTopic, { tagId: await placeOf('tag', '2'), title: 'Mine', body: says('mine') })
  await expect(undoImport(other.forum, 'phpbb')).rejects.toThrow('1 posts and messages')
  await app
    .updateTable('topic')
    .set({ tag_id: await aTag(other.forum.database) })
    .where('id', '=', topicId)
    .execute()
  const { replyId } = await local.call(addReply, { commentId: await placeOf('comment', '11'), body: says('mine, too') })
  await expect(undoImport(other.forum, 'phpbb')).rejects.toThrow('1 posts and messages')
  expect(await app.selectFrom('reply').select('id').where('id', '=', replyId).execute()).toHaveLength(1)
  await local.call(send, { userId: await placeOf('member', '1'), body: says('a word'), key: randomUUID() })
  await expect(undoImport(other.forum, 'phpbb')).rejects.toThrow('2 posts and messages')
})
