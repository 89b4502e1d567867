import { sql } from 'kysely'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import { seenBy } from '#hidden-part/testing/factories.ts'
import { undoImport } from '#importer/server/undo.ts'
import { diyhiCommunity, typedPassword } from '#importer/testing/diyhi-community.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, conversationsIn, messagesIn, movedIn, newIdOf } from '#importer/testing/moved-in.ts'
import { diyhiSql, userNameOf } from '#importer/testing/old-diyhi.ts'
import { thread } from '#topic/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const folder = dumpFolder()
const pictures = [
  'file/topic/2024-02-01/image/0a1b2c3d4e5f60718293a4b5c6d7e8f91.png',
  'file/avatar/2024-01-02/ann.png',
  'file/topicTag/green.png',
]
let forum: Forum

// The rows were made by the documented schema, not by a running program.
beforeAll(async () => {
  for (const path of pictures) await writePicture(join(folder.path, path))
  const from = folder.write('diyhi.sql', diyhiSql(diyhiCommunity))
  forum = await movedIn('diyhi', { from, files: folder.path }, { points: 'points', money: { credit: 'deposit', centsPerUnit: 1 } })
})

async function writePicture(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#384' } })
    .png()
    .toFile(path)
}

async function loggedIn(account: string): Promise<Person> {
  const visitor = forum.visitor() as Person
  visitor.pair = (await visitor.call(login, { account, password: typedPassword })) as unknown as Person['pair']
  return visitor
}

const app = () => forum.database.app
const topics = () => app().selectFrom('topic')

test('counters and books are sound', async () => {
  expect(await counterMismatches(app())).toEqual([])
  expect(await newestMismatches(app())).toEqual([])
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
})

describe('members', () => {
  test('have their nicknames, numbers, dates, pictures and states; a cancelled account is nobody', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select account, nickname, joined_at as joined, last_seen_at as seen, avatar is not null as pictured, deactivated_as as state,
        password_hash is not null as "hasPassword", array(select kind::text from contact where member_id = member.id) as contacts
      from member where id in (select new_id::bigint from import_row where kind = 'member') order by id`.execute(app())
    const usual = { nickname: null, pictured: false, state: null, hasPassword: true, contacts: [] }
    const joined = new Date('2024-01-02T04:00:00Z')
    const [ann, bob, ...others] = rows
    expect(ann).toEqual({
      ...usual,
      account: 'ann',
      nickname: '安安',
      joined,
      seen: new Date('2024-06-01T12:00:00Z'),
      pictured: true,
      contacts: ['email'],
    })
    expect(bob).toEqual({ ...usual, account: 'bob', joined, seen: joined, contacts: ['phone'] })
    expect(others.map(({ account, state, hasPassword, nickname }) => [account, state, hasPassword, nickname])).toEqual([
      ['cai', null, true, null],
      ['dan', null, true, null],
      ['weixin-eve', null, false, '小叶'],
      ['fay', null, true, null],
      ['gus', null, true, null],
      ['hal', 'disabled', true, null],
    ])
  })

  test.each(['ann', 'bob'])('are let in by the password of then: %s', async (account) => {
    expect((await forum.visitor().tryCall(login, { account, password: `${typedPassword}x` })).status).toBe(422)
    expect((await forum.visitor().tryCall(login, { account, password: typedPassword })).status).toBe(200)
  })

  test('have their points and cents in the books, with what they offered and nobody was given', async () => {
    const { rows } = await sql<{ account: string; currency: string; balance: string }>`
      select account, currency, balance from ledger.account join member on member.id = owner_id and ledger.account.name = 'member'
      where balance <> 0 order by member.id, currency`.execute(app())
    expect(rows).toEqual([
      { account: 'ann', currency: 'cny', balance: '1384' },
      { account: 'ann', currency: 'points', balance: '55' },
      { account: 'cai', currency: 'points', balance: '20' },
      { account: 'dan', currency: 'cny', balance: '300' },
      { account: 'gus', currency: 'points', balance: '500' },
    ])
  })

  test('hold the roles that have not ended', async () => {
    const { rows } = await sql`
      select account, name_zh as role, upper_inf(during) as forever from role_holding join member on member.id = member_id join role on role.id = role_id
      where name_zh in ('茶友', '坏了') order by account`.execute(app())
    expect(rows).toEqual([
      { account: 'bob', role: '茶友', forever: true },
      { account: 'dan', role: '坏了', forever: false },
    ])
  })
})

describe('tags', () => {
  test('have their two levels, in their order, and their pictures', async () => {
    const { rows } = await sql`
      select tag.name_zh as name, parent.name_zh as parent, tag.is_restricted as restricted, tag.picture is not null as pictured
      from tag left join tag as parent on parent.id = tag.parent_id where tag.key like 'diyhi-%' order by tag.parent_id nulls first, tag.sort`.execute(
      app(),
    )
    expect(rows).toEqual([
      { name: '茶', parent: null, restricted: false, pictured: false },
      { name: '求助', parent: null, restricted: false, pictured: false },
      { name: '水温', parent: null, restricted: false, pictured: false },
      { name: '绿茶', parent: '茶', restricted: false, pictured: true },
      { name: '雅座', parent: '茶', restricted: true, pictured: false },
    ])
  })

  test('that a role may read are read by its holders alone, also where the rights of another cannot be read', async () => {
    const topicId = await newIdOf(forum, 'thread', 'topic/3')
    const statusFor = async (who: Person) => (await who.tryCall(thread, { topicId })).status
    expect(await statusFor(await loggedIn('bob'))).toBe(200)
    for (const account of ['cai', 'dan', 'fay']) expect(await statusFor(await loggedIn(account)), account).not.toBe(200)
    expect((await forum.visitor().tryCall(thread, { topicId })).status).not.toBe(200)
  })
})

describe('topics', () => {
  test('have their titles, states and marks', async () => {
    const rows = await topics()
      .select(['title', 'status', 'pin', 'takes_comments', 'kind'])
      .where('kind', '=', 'topic')
      .orderBy('id')
      .execute()
    const usual = { status: 'published', pin: 0, takes_comments: true, kind: 'topic' }
    expect(rows).toEqual([
      { ...usual, title: '第一帖 & <b> 😀', pin: 2 },
      { ...usual, title: '藏起来的' },
      { ...usual, title: '雅座里的话' },
      { ...usual, title: '等审核', status: 'pending' },
      { ...usual, title: '删掉的', status: 'deleted' },
      { ...usual, title: '店里公告', takes_comments: false },
      { ...usual, title: '走了的人写的', status: 'deleted' },
      { ...usual, title: '选一个' },
    ])
  })

  test('say what was read there, with emoticons by their names, pictures, and the clock of the old server', async () => {
    const id = await newIdOf(forum, 'thread', 'topic/1')
    const { body, published_at, featured_at } = await topics()
      .select(['body', 'published_at', 'featured_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(toText(body as Doc)).toBe('大家好 茶 微笑')
    expect((body as Doc).content.map(({ type }) => type)).toEqual(['paragraph', 'image'])
    expect(published_at).toEqual(new Date('2024-02-01T00:01:00Z'))
    expect(featured_at).not.toBeNull()
  })

  test('by staff stand under the name that they show', async () => {
    const { rows } = await sql`select account from topic join member on member.id = author_id where title = '店里公告'`.execute(app())
    expect(rows).toEqual([{ account: '掌柜' }])
  })

  test('have a poll with the ballots of members, each choice of one a row of its own', async () => {
    const { rows } = await sql`
      select account, array(select label from poll_option where id = any(option_ids) order by place) as chosen
      from poll_ballot join member on member.id = member_id order by account`.execute(app())
    expect(rows).toEqual([
      { account: 'bob', chosen: ['绿茶', '红茶'] },
      { account: 'cai', chosen: ['红茶'] },
    ])
  })

  test('with a red envelope that was open are counted', async () => {
    const notes = await app().selectFrom('import_note').select(['note', 'count']).where('note', 'like', 'red envelope%').execute()
    expect(notes).toEqual([{ note: expect.stringContaining('still open'), count: '1' }])
  })
})

describe('hidden parts', () => {
  const topicId = () => newIdOf(forum, 'thread', 'topic/2')

  test('of five kinds have their conditions, and those of one price are one part', async () => {
    const parts = await app()
      .selectFrom('hidden.outline')
      .select(['lock', 'needs'])
      .where('topic_id', '=', await topicId())
      .execute()
    expect(parts).toEqual([
      { lock: 'password', needs: null },
      { lock: 'comment', needs: null },
      { lock: 'level', needs: '300' },
      { lock: 'points', needs: '5' },
      { lock: 'balance', needs: '150' },
    ])
  })

  test('are never public', async () => {
    const everything = JSON.stringify([
      await topics()
        .select(['body', 'segments', 'summary', 'pictures'])
        .where('id', '=', await topicId())
        .execute(),
      await app().selectFrom('import_note').selectAll().execute(),
      await forum.visitor().call(thread, { topicId: await topicId() }),
      (await forum.app.inject(`/thread?topicId=${await topicId()}`)).body,
    ])
    expect(everything).toContain('公开的话')
    expect(everything).not.toMatch(/后面|之二|芝麻/)
  })

  test.each([
    ['bob', '暗语后面', 'who knew the password'],
    ['gus', '评论后面.*等级后面', 'who commented and has the points'],
    ['cai', '积分后面.*积分之二', 'who paid points'],
    ['dan', '金钱后面', 'who paid money'],
    ['fay', '', 'who did nothing'],
  ])('are open to %s as there: %s', async (account, expected) => {
    const shown = (await seenBy(await loggedIn(account), await topicId())).replaceAll('\n', ' ')
    expect(shown).toMatch(new RegExp(`^[^后之]*${expected.replaceAll('.*', '[^后之]*')}[^后之]*$`))
  })
})

describe('comments', () => {
  test('stand on their floors, quote what they quoted, and mention members', async () => {
    const its = (await commentsIn(forum)).filter(({ thread: of }) => of.startsWith('第一帖'))
    expect(its.map(({ floor, status, text, author }) => [floor, status, text, author])).toEqual([
      [1, 'published', '一楼', 'bob'],
      [2, 'published', '引用一楼', 'cai'],
      [3, 'deleted', '删了', 'bob'],
      [4, 'published', '@cai 说得对', 'ann'],
    ])
    const { rows } = await sql`
      select comment.text, quoted.text as quoted from comment join comment as quoted on quoted.id = comment.quotes order by comment.id`.execute(
      app(),
    )
    expect(rows).toEqual([
      { text: '引用一楼', quoted: '一楼' },
      { text: '@cai 说得对', quoted: '引用一楼' },
    ])
  })

  test('and answers have their replies, which answer each other', async () => {
    const { rows } = await sql`
      select reply.text, comment.text as below, reply.status, answered.text as answers
      from reply join comment on comment.id = comment_id left join reply as answered on answered.id = reply.answers order by reply.id`.execute(
      app(),
    )
    expect(rows).toEqual([
      { text: '谢谢', below: '一楼', status: 'published', answers: null },
      { text: '不谢', below: '一楼', status: 'published', answers: '谢谢' },
      { text: '作者删的', below: '一楼', status: 'deleted', answers: null },
      { text: '试过了，对', below: '八十度', status: 'published', answers: null },
    ])
  })
})

test('a question has its accepted answer, its further tags and what was added later', async () => {
  const { rows } = await sql`
    select topic.title, topic.is_resolved as resolved, tag.name_zh as tag, comment.text as accepted,
      array(select name_zh from topic_tag join tag as further on further.id = topic_tag.tag_id where topic_id = topic.id and is_further) as further,
      array(select body #>> '{content,0,content,0,text}' from postscript where topic_id = topic.id) as later,
      array(select written_at from postscript where topic_id = topic.id) as at
    from topic join tag on tag.id = tag_id left join adoption on adoption.topic_id = topic.id left join comment on comment.id = adoption.comment_id
    where topic.kind = 'question' order by topic.id`.execute(app())
  expect(rows).toEqual([
    {
      title: '几度的水?',
      resolved: true,
      tag: '求助',
      accepted: '八十度',
      further: ['水温'],
      later: ['补充'],
      at: [new Date('2024-02-04T01:00:00Z')],
    },
    { title: '还没人答', resolved: false, tag: '求助', accepted: null, further: [], later: [], at: [] },
  ])
})

test('likes, favourites and follows come from all four tables of each', async () => {
  const { rows } = await sql`
    select (select count(*)::int from post_like) as likes, (select count(*)::int from favourite) as favourites,
      (select count(*)::int from follow where of = 'member') as follows`.execute(app())
  expect(rows).toEqual([{ likes: 6, favourites: 4, follows: 4 }])
})

test('a message comes once, unread as there, and not to whom it was deleted for', async () => {
  expect((await messagesIn(forum)).map(({ text }) => text).toSorted()).toEqual(
    ['悄悄话 <b>\n第二行', '收信人删了', '收信人那份没了', '回话'].toSorted(),
  )
  expect((await conversationsIn(forum)).map(({ sent, unread }) => `${sent} sent, ${unread} unread`).toSorted()).toEqual([
    '0 sent, 0 unread',
    '0 sent, 0 unread',
    '1 sent, 0 unread',
    '1 sent, 0 unread',
    '1 sent, 0 unread',
    '1 sent, 1 unread',
  ])
})

describe('old addresses', () => {
  test.each([
    ['/thread?topicId=1', 'thread', 'topic/1', /^\/thread\?topicId=ID$/],
    ['/thread?topicId=1&page=2', 'comment', 'comment/4', /&commentId=ID$/],
    ['/thread?topicId=1&commentId=2', 'comment', 'comment/2', /&commentId=ID$/],
    ['/thread?topicId=1&commentId=1&replyId=2', 'reply', 'reply/2', /&replyId=ID$/],
    ['/question?questionId=1', 'thread', 'question/1', /^\/question\?questionId=ID$/],
    ['/question?questionId=1&answerId=2', 'comment', 'answer/2', /&commentId=ID$/],
    ['/question?questionId=1&answerId=2&replyId=1', 'reply', 'answer-reply/1', /&replyId=ID$/],
    [`/user/control/home?userName=${userNameOf(1)}`, 'member', userNameOf(1), /\?userId=ID$/],
    ['/index?tagId=11', 'tag', 'topic/11', /^\/index\?tagId=ID$/],
    ['/askList?tagId=11', 'tag', 'question/11', /^\/index\?tagId=ID$/],
    [`/${pictures[0]}`, 'file', pictures[0] ?? '', /^\/file\/ID$/],
  ])('%s answers 301, each time', async (url, kind, oldId, expected) => {
    const location = expected.source.replace('ID', await newIdOf(forum, kind, oldId))
    for (const _ of [1, 2]) {
      const answer = await forum.app.inject({ url, headers: { accept: 'text/html' } })
      expect([answer.statusCode, answer.headers.location]).toEqual([301, expect.stringMatching(location)])
    }
  })

  test('never name a topic of ours: ids here begin well above those there', async () => {
    const ids = (await topics().select('id').execute()).map(({ id }) => Number(id))
    expect(Math.min(...ids)).toBeGreaterThan(100)
    expect((await forum.app.inject('/thread?topicId=9')).statusCode).toBe(404)
  })
})

test('an undo takes all of it away', async () => {
  const from = folder.write('again.sql', diyhiSql(diyhiCommunity))
  const other = await movedIn('diyhi', { from, files: folder.path })
  await undoImport(other, 'diyhi')
  const left = await other.database.app.selectFrom('tag').select('name_zh').where('key', 'like', 'diyhi-%').execute()
  expect(left).toEqual([])
})
