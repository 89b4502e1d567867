import { sql } from 'kysely'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { withDatabase } from '#base/testing/database.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Forum } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, conversationsIn, messagesIn, movedIn, newIdOf } from '#importer/testing/moved-in.ts'
import { oldFlarum, oldFlarum2, prefixed, typedPassword } from '#importer/testing/old-flarum.ts'
import { postgresSql, tablesSql, writeSqlite } from '#importer/testing/old-tables.ts'
import { thread } from '#topic/contract.ts'
import { profilePath } from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'

const { path: folder, write } = dumpFolder()
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const origin = 'https://former.example.org/'

function writeFiles(): void {
  for (const one of ['avatars', 'files/2024-05-01', 'files/phpbb_migrated']) mkdirSync(join(folder, 'assets', one), { recursive: true })
  for (const path of ['avatars/ann.png', 'files/2024-05-01/1-2-cup.png', 'files/phpbb_migrated/885_c7d9']) write(`assets/${path}`, png)
  write('assets/files/2024-05-01/1-3-list.txt', 'all teas')
}

async function run(address: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function ofDump(): Promise<Forum> {
  const from = write('flarum.sql', tablesSql(prefixed(oldFlarum, 'fl_'), 'utf8mb4'))
  return movedIn('flarum', { from, files: folder, prefix: 'fl_', origin })
}

async function ofPostgres(): Promise<Forum> {
  const name = `old_flarum_${process.pid}`
  const owner = new URL(withDatabase(inject('database').owner, name))
  await run(inject('database').owner, `create database ${name}`)
  afterFile(() => run(inject('database').owner, `drop database ${name} with (force)`))
  await run(owner.href, postgresSql(oldFlarum2))
  const password = decodeURIComponent(owner.password)
  owner.password = ''
  return movedIn('flarum', { from: owner.href, password, files: folder, origin })
}

function ofSqlite(): Promise<Forum> {
  return movedIn('flarum', { from: writeSqlite(join(folder, 'forum.sqlite'), oldFlarum2), files: folder, origin })
}

const logInAs = async (forum: Forum, account: string) => {
  const member = forum.visitor()
  member.pair = sessionOf(await member.call(login, { account, password: typedPassword }))
  return member
}

describe.each([
  ['Flarum 1 in a dump of MySQL', ofDump, 1],
  ['Flarum 2 in PostgreSQL', ofPostgres, 2],
  ['Flarum 2 in SQLite', ofSqlite, 2],
] as const)('%s', (_, open, version) => {
  let forum: Forum
  beforeAll(async () => {
    writeFiles()
    forum = await open()
  })
  const of = () => forum
  testThreads(of)
  testPeople(of)
  testMessages(of, version)
  testExtensions(of)
  testAddresses(of, version)
})

type Of = () => Forum

function testThreads(of: Of): void {
  test('counters and books are sound', async () => {
    expect(await counterMismatches(of().database.app)).toEqual([])
    expect(await newestMismatches(of().database.app)).toEqual([])
    expect(await wallet.breachesIn(of().database, bookChecks, null)).toEqual([])
  })

  test('discussions stand in their tags as they were; private ones, and those that all have left, are none', async () => {
    const { rows } = await sql`
      select title, tag.name_en as tag, topic.kind, status, pin, takes_comments as open from topic join tag on tag.id = tag_id
        join import_row on import_row.kind = 'thread' and new_id = topic.id::text order by old_id::int`.execute(of().database.app)
    const row = (title: string, tag: string, more = {}) => ({ title, tag, kind: 'topic', status: 'published', pin: 0, open: true, ...more })
    expect(rows).toEqual([
      row(`Tom & Jerry's "best" <3 茶😀`, 'General', { pin: 1 }),
      row('Secret of friends', 'Friends'),
      row('Secret of friends, deeper', 'Deep'),
      row('Hidden', 'General', { status: 'deleted', open: false }),
      row('Secret of staff', 'Staff'),
      row('Of two restrictions', 'Friends'),
      // flarum/framework #1283: the first post was deleted for ever.
      row('First post gone', 'Green', { kind: 'question' }),
      row('Without a tag', 'Old teahouse'),
      row('Best tea?', 'Green', { kind: 'question' }),
      row('Across groups', 'Friends', { status: 'deleted' }),
      row('Waiting', 'General', { status: 'pending' }),
      row('Uploads', 'General'),
    ])
  })

  // flarum/framework #437, #2086, FriendsOfFlarum/merge-discussions #30
  test('comments stand on the floors of their numbers, with gaps for events, and events are none', async () => {
    const comments = (await commentsIn(of())).filter(({ thread: title }) => title.startsWith('Tom'))
    expect(comments.filter(({ text }) => text !== '').map(({ floor, status, text, author }) => [floor, status, text, author])).toEqual([
      [2, 'published', 'three', 'Mei'],
      [3, 'deleted', 'hidden four', 'Ann'],
      [5, 'published', '@Ann six #tea', 'Ann'],
      [7, 'published', '@Ann six\neight', 'Guest'],
      [null, 'pending', 'waits', 'Ann'],
    ])
    expect(comments.filter(({ text }) => text === '').map(({ floor }) => floor)).toEqual([1, 4, 6])
  })

  test('a body has its marks and emoji', async () => {
    const { body } = await of().database.app.selectFrom('topic').select('body').where('title', 'like', 'Tom%').executeTakeFirstOrThrow()
    expect(body).toEqual({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'Hello ' },
            { type: 'text', text: 'tea', marks: [{ type: 'bold' }] },
            { type: 'text', text: ' 😀' },
          ],
        },
      ],
    })
  })

  test('a mention at the beginning is the post that is answered, also within a quotation', async () => {
    const answers = await of()
      .database.app.selectFrom('comment')
      .select(['text', 'quotes'])
      .where('quotes', 'is not', null)
      .orderBy('floor')
      .execute()
    expect(answers).toEqual([
      { text: '@Ann six #tea', quotes: await newIdOf(of(), 'comment', '3') },
      { text: '@Ann six\neight', quotes: await newIdOf(of(), 'comment', '6') },
    ])
  })

  test('mentions of posts and tags lead to them', async () => {
    const id = await newIdOf(of(), 'comment', '6')
    const { body } = await of().database.app.selectFrom('comment').select('body').where('id', '=', id).executeTakeFirstOrThrow()
    const [topicId, commentId, tagId] = [
      await newIdOf(of(), 'thread', '1'),
      await newIdOf(of(), 'comment', '3'),
      await newIdOf(of(), 'tag', '2'),
    ]
    expect(JSON.stringify(body)).toContain(`"href":"/thread?topicId=${topicId}&commentId=${commentId}"`)
    expect(JSON.stringify(body)).toContain(`"href":"/index?tagId=${tagId}"`)
  })
}

function testPeople(of: Of): void {
  test('members have their passwords, avatars, nicknames and bans; who never confirmed an address is in no group', async () => {
    const { rows } = await sql<{ account: string }>`
      select account, about, avatar is not null as "hasAvatar", (select count(distinct function)::int > 0 from member_ban where member_id = member.id and ends_at is null) as banned,
        (select string_agg(name_en, ',' order by name_en) from role_holding join role on role.id = role_id where member_id = member.id) as roles
      from member where exists (select from import_row where kind = 'member' and new_id = member.id::text) order by id`.execute(
      of().database.app,
    )
    const row = (account: string, more = {}) => ({ account, about: '', hasAvatar: false, banned: false, roles: null, ...more })
    expect(rows).toEqual([
      row('admin'),
      row('Ann', { about: 'Ann of the teas\nGreen tea', hasAvatar: true }),
      row('Mei', { roles: 'Friend of tea' }),
      // flarum/framework #4665: for ever is the first day of 2038.
      row('Spammer', { banned: true }),
      row('Newcomer'),
      row('Mod'),
    ])
    expect(
      (
        await of()
          .visitor()
          .tryCall(login, { account: 'Ann', password: `${typedPassword}x` })
      ).status,
    ).toBe(422)
    expect((await of().visitor().tryCall(login, { account: 'Ann', password: typedPassword })).status).toBe(200)
  })

  test.each([
    ['2', 'of friends'],
    ['3', 'of friends, deeper'],
    ['6', 'of staff'],
    ['7', 'of two restrictions'],
    ['12', 'across groups'],
  ])('a visitor does not read discussion %s, %s', async (oldId) => {
    const topicId = await newIdOf(of(), 'thread', oldId)
    for (const page of ['/', '/index', `/thread?topicId=${topicId}`, `/api/thread?topicId=${topicId}`, `/d/${oldId}-x`]) {
      const { body, headers } = await of().app.inject(page)
      const landed = headers.location === undefined ? '' : (await of().app.inject(headers.location)).body
      expect(`${body}${landed}`).not.toMatch(/body for|body of|body across/)
    }
  })

  // flarum/framework #761: a tag below a restricted one is no wider than it.
  test('restricted tags are read by the members of their groups alone', async () => {
    const statusFor = async (account: string, oldIds: readonly string[]) => {
      const member = await logInAs(of(), account)
      return Promise.all(
        oldIds.map(async (oldId) => (await member.tryCall(thread, { topicId: await newIdOf(of(), 'thread', oldId) })).status),
      )
    }
    expect(await statusFor('Mei', ['1', '2', '3', '6', '7'])).toEqual([200, 200, 200, 403, 200])
    expect(await statusFor('Newcomer', ['1', '2', '3', '6', '7'])).toEqual([200, 403, 403, 403, 403])
    expect(await statusFor('Mod', ['2', '6'])).toEqual([403, 403])
  })
}

function testMessages(of: Of, version: 1 | 2): void {
  // FriendsOfFlarum/follow-tags #5, byobu #145
  test('a private discussion is messages to those who stayed, whatever its tag, and nothing else knows of it', async () => {
    const [ann, mei] = [await newIdOf(of(), 'member', '2'), await newIdOf(of(), 'member', '3')]
    const ofSecond = [
      { text: 'a message of Flarum 2', author_id: ann },
      { text: 'yes 😀', author_id: mei },
    ]
    expect(await messagesIn(of())).toEqual([
      { text: 'Private talk\nprivate opening\nand a part', author_id: ann },
      { text: 'private answer', author_id: mei },
      ...(version === 2 ? ofSecond : []),
    ])
    const more = version - 1
    expect(await conversationsIn(of())).toEqual(
      expect.arrayContaining([
        { sent: 1 + more, unread: 1 + more },
        { sent: 1 + more, unread: 0 },
      ]),
    )
    const { rows } = await sql<{ all: string }>`
      select concat((select json_agg(t) from topic t), (select json_agg(c) from comment c), (select json_agg(n) from import_note n)) as all`.execute(
      of().database.app,
    )
    expect(rows[0]?.all).not.toMatch(
      /private opening|private answer|private and hidden|all have left|kept by an extension|of another extension/i,
    )
    expect((await of().app.inject('/d/5-private-talk')).statusCode).not.toBe(301)
  })
}

function testExtensions(of: Of): void {
  test('a part that extensions show to whoever replied is hidden until one comments', async () => {
    const parts = await of().database.app.selectFrom('hidden.outline').select(['lock', 'needs']).execute()
    expect(parts).toEqual([{ lock: 'comment', needs: null }])
    expect(JSON.stringify(await of().database.app.selectFrom('comment').select(['body', 'segments', 'text']).execute())).not.toContain(
      'reply to see',
    )
  })

  // FriendsOfFlarum/upload #433, #426, #460
  test('uploads stand in their posts, found by UUID alone and by path, whatever the site was called', async () => {
    const { body } = await of().database.app.selectFrom('topic').select('body').where('title', '=', 'Uploads').executeTakeFirstOrThrow()
    const ids = await Promise.all(
      ['2024-05-01/1-2-cup.png', '2024-05-01/1-3-list.txt', 'phpbb_migrated/885_c7d9'].map((path) => newIdOf(of(), 'file', path)),
    )
    const blocks = (body as Doc).content
    expect(blocks.map((block) => [block.type, 'attrs' in block && 'file' in block.attrs ? block.attrs.file : null])).toEqual([
      ['image', ids[0]],
      ['file', ids[1]],
      ['image', ids[2]],
    ])
    expect((await of().app.inject(`/file/${ids[1]}`)).statusCode).toBe(200)
  })

  // FriendsOfFlarum/polls #133: no number of choices means all of them.
  test('a poll has its options and votes, and an answer is accepted', async () => {
    const { app } = of().database
    expect(await app.selectFrom('poll').select(['title', 'max_choices', 'is_public']).execute()).toEqual([
      { title: 'Which?', max_choices: 3, is_public: true },
    ])
    const options = await app.selectFrom('poll_option').select(['id', 'label']).orderBy('place').execute()
    expect(options.map(({ label }) => label)).toEqual(['Green', 'Black', 'White'])
    const ballots = await app.selectFrom('poll_ballot').select(['option_ids', 'member_id']).execute()
    expect(ballots).toEqual([{ option_ids: [options[0]?.id, options[2]?.id], member_id: await newIdOf(of(), 'member', '3') }])
    expect(await app.selectFrom('adoption').select('comment_id').execute()).toEqual([{ comment_id: await newIdOf(of(), 'comment', '34') }])
  })

  test('likes, follows and positions are those of then', async () => {
    const { app } = of().database
    expect(
      (await app.selectFrom('post_like').select('post_kind').orderBy('post_kind').execute()).map(({ post_kind: kind }) => kind),
    ).toEqual(['comment', 'topic'])
    expect(await app.selectFrom('follow').select('level').orderBy('member_id').execute()).toEqual([
      { level: 'muted' },
      { level: 'watching' },
    ])
    const positions = await app.selectFrom('topic_read_position').select(['topic_id', 'floor']).execute()
    expect(positions).toEqual([{ topic_id: await newIdOf(of(), 'thread', '1'), floor: 3 }])
  })
}

function testAddresses(of: Of, version: 1 | 2): void {
  const [byName, byId] = version === 1 ? (['member 2', null] as const) : ([null, 'member 3'] as const)
  const addresses = [
    ['/d/1-tom-jerrys-best-3', 'thread 1'],
    ['/d/1', 'thread 1'],
    ['/d/1-an-older-title/8', 'comment 8'],
    ['/d/1/5', 'comment 4'],
    ['/d/1-tom/99', 'comment 8'],
    ['/d/8/2', 'question 8'],
    ['/t/tea', 'tag 2'],
    ['/t/friends', 'tag 3'],
    ['/assets/files/2024-05-01/1-3-list.txt', 'file 2024-05-01/1-3-list.txt'],
    ['/u/ann', byName],
    ['/u/Ann/discussions', byName],
    ['/u/3', byId],
    ['/t/%E6%80%8E%E4%B9%88%E5%81%9A', 'tag 7'],
    ['/t/ghosts', null],
    ['/d/4711', null],
  ] as const
  const known = addresses.flatMap(([url, target]) => (target === null ? [] : [[url, target] as const]))
  const unknown = addresses.flatMap(([url, target]) => (target === null ? [url] : []))

  test.each(known)('the old address %s leads to %s', async (url, target) => {
    const { statusCode, headers } = await of().app.inject(url)
    const [kind = '', oldId = ''] = target.split(' ')
    const id = await newIdOf(of(), kind === 'question' ? 'thread' : kind, oldId)
    const places: Record<string, string> = {
      thread: `/thread?topicId=${id}`,
      question: `/question?questionId=${id}`,
      comment: `/thread?topicId=${await newIdOf(of(), 'thread', '1')}&commentId=${id}`,
      tag: `/index?tagId=${id}`,
      file: `/file/${id}`,
      member: profilePath(id),
    }
    expect([statusCode, headers.location]).toEqual([301, places[kind]])
  })

  test.each(unknown)('the old address %s leads nowhere', async (url) => {
    expect((await of().app.inject(url)).statusCode).not.toBe(301)
  })
}
