import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import type { Forum } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { startMariadb, type TestMariadb } from '#importer/testing/mariadb.ts'
import { commentsIn, conversationsIn, messagesIn, movedIn, newIdOf } from '#importer/testing/moved-in.ts'
import { began, oldDiscuz, typedPassword } from '#importer/testing/old-discuz.ts'
import { oldFlarum } from '#importer/testing/old-flarum.ts'
import { oldPhpbb, typedPassword as phpbbPassword } from '#importer/testing/old-phpbb.ts'
import { tablesSql, type OldTables } from '#importer/testing/old-tables.ts'
import { createTables, dumpOf, insertsOf } from '#importer/testing/source-rows.ts'
import { thread } from '#topic/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

let mariadb: TestMariadb
beforeAll(async () => {
  mariadb = await startMariadb()
  afterFile(() => mariadb.stop())
})
const { path: folder, write } = dumpFolder()

/** Where a database with these statements is read live. */
function live(name: string, statements: string) {
  mariadb.run(`create database ${name}`)
  mariadb.run(`set sql_mode = '';${statements}`, name)
  const { url, password } = mariadb.address(name)
  return { from: url, password }
}

const rows = new URL('../testing/rows/', import.meta.url).pathname

async function assertSound({ database }: Forum): Promise<void> {
  expect(await counterMismatches(database.app)).toEqual([])
  expect(await newestMismatches(database.app)).toEqual([])
  expect(await wallet.breachesIn(database, bookChecks, null)).toEqual([])
}

async function writtenIn(forum: Forum) {
  const { app } = forum.database
  const topics = await app.selectFrom('topic').select(['title', 'kind', 'status', 'pin', 'summary', 'floors']).orderBy('id').execute()
  const bodies = await sql<{
    text: string
  }>`select regexp_replace(body::text, '"(id|file)": "[^"]*"', '', 'g') as text from topic order by id`.execute(app)
  const members = await app
    .selectFrom('member')
    .select(['account', 'deactivated_as'])
    .where('is_official', '=', false)
    .orderBy('id')
    .execute()
  return { topics, bodies: bodies.rows, comments: await commentsIn(forum), members }
}

describe('the rows of a real board', () => {
  test.each(['phpbb', 'discuz'] as const)('of %s are the same live as from a dump', async (program) => {
    const source = live(`real_${program}`, `${createTables(program)}${insertsOf(program)}`)
    const [read, dumped] = [
      await movedIn(program, { ...source, files: rows }),
      await movedIn(program, { from: write(`${program}.sql`, dumpOf(program)), files: rows }),
    ]
    await assertSound(read)
    const written = await writtenIn(read)
    expect(written).toEqual(await writtenIn(dumped))
    expect(written.topics.length).toBeGreaterThan(2)
  })
})

/** Both ways in: the live database, and a dump of it in its own charset. */
const ways = ['live', 'dump'] as const

type Way = { way: 'live' | 'dump'; charset: 'gbk' | 'utf8mb3' | 'utf8mb4' }

async function moved(program: string, tables: OldTables, { way, charset }: Way) {
  const name = `old_${program}_${way}`
  const source = live(name, tablesSql(tables, charset))
  const from = way === 'live' ? source : { from: write(`${name}.sql`, mariadb.dump(name, `--default-character-set=${charset}`)) }
  return movedIn(program, { ...from, files: folder }, program === 'discuz' ? { points: '2' } : {})
}

describe.each(ways)('Discuz! X3.4 in GBK, %s', (way) => {
  let forum: Forum
  beforeAll(async () => {
    mkdirSync(join(folder, 'data/attachment/forum/201707'), { recursive: true })
    write('data/attachment/forum/201707/tea.txt', 'the list of teas')
    forum = await moved('discuz', oldDiscuz, { way, charset: 'gbk' })
  })

  test('counters and books are sound', () => assertSound(forum))

  test('titles are in plain letters, a thread in the bin is down, and a moved one comes once', async () => {
    const topics = await forum.database.app
      .selectFrom('topic')
      .select(['title', 'status', 'kind', 'takes_comments'])
      .orderBy('id')
      .execute()
    expect(topics).toEqual([
      { title: '茶 & 😀', status: 'published', kind: 'topic', takes_comments: true },
      { title: '存档', status: 'published', kind: 'topic', takes_comments: true },
      { title: '回收站', status: 'deleted', kind: 'topic', takes_comments: true },
      { title: '悬赏', status: 'published', kind: 'question', takes_comments: true },
      { title: '卖文件', status: 'published', kind: 'topic', takes_comments: true },
      { title: '锁了', status: 'published', kind: 'topic', takes_comments: false },
    ])
  })

  test('comments stand on their floors, also of a split table, an archived member, a dead author and an anonymous one', async () => {
    const comments = await commentsIn(forum)
    expect(comments.map(({ thread, floor, text, author }) => [thread, floor, text, author])).toEqual([
      ['茶 & 😀', 1, '一楼', '老王'],
      ['茶 & 😀', 2, '走了', '走了的人'],
      ['茶 & 😀', 3, '匿名的话', '访客'],
      ['存档', 1, '旧表一楼', '张三'],
      ['回收站', 1, '也在', 'admin'],
      ['悬赏', 1, '不知道', '李四'],
      ['悬赏', 2, '我知道', '张三'],
    ])
  })

  test('an opening has its marks and letters, with the remarks on it at its end', async () => {
    const { text } = await sql<{ text: string }>`select body::text as text from topic where title = '茶 & 😀'`
      .execute(forum.database.app)
      .then(({ rows: [row] }) => row ?? { text: '' })
    expect(text).toContain('大家好')
    expect(text).toContain('😀 乗')
    expect(text).toContain('老王: 首帖点评')
    expect(text).not.toContain('&#')
  })

  test('a remark stands below its post, and an average of ratings does not', async () => {
    const replies = await forum.database.app
      .selectFrom('reply')
      .innerJoin('comment', 'comment.id', 'comment_id')
      .select(['reply.text', 'comment.text as below'])
      .execute()
    expect(replies).toEqual([{ text: '点评 <好> 😀', below: '一楼' }])
  })

  test('a best answer is accepted, at the time of its neighbour', async () => {
    const [adopted] = await forum.database.app
      .selectFrom('adoption')
      .innerJoin('comment', 'comment.id', 'comment_id')
      .select(['text', 'published_at'])
      .execute()
    expect(adopted).toEqual({ text: '我知道', published_at: new Date((began + 100) * 1000) })
  })

  test('a paid file stands in a hidden part of its price, and nowhere else', async () => {
    const { app } = forum.database
    const topicId = await newIdOf(forum, 'thread', '6')
    const parts = await app.selectFrom('hidden.outline').select(['lock', 'needs']).where('topic_id', '=', topicId).execute()
    expect(parts).toEqual([{ lock: 'points', needs: '5' }])
    const fileId = await newIdOf(forum, 'file', '61')
    expect(JSON.stringify(await app.selectFrom('topic').select(['body', 'segments', 'summary']).execute())).not.toContain(fileId)
    expect((await forum.app.inject(`/file/${fileId}`)).body).not.toContain('the list of teas')
  })

  test('the credit that was chosen is the balance of points, a debt too', async () => {
    const { rows: balances } = await sql<{ account: string; balance: string }>`
      select account, balance from ledger.account join member on member.id = owner_id order by member.id`.execute(forum.database.app)
    expect(balances).toEqual([
      { account: '张三', balance: '50' },
      { account: '李四', balance: '-4' },
      { account: '老王', balance: '9' },
    ])
  })

  test('a message is in the conversation of its two members', async () => {
    expect(await messagesIn(forum)).toEqual([{ text: '悄悄话 😀', author_id: await newIdOf(forum, 'member', '2') }])
    expect(await conversationsIn(forum)).toEqual([
      { sent: 0, unread: 1 },
      { sent: 1, unread: 0 },
    ])
  })

  test.each(['张三', '老王'])('%s logs in with a Chinese password that was hashed in GBK', async (account) => {
    expect((await forum.visitor().tryCall(login, { account, password: '密码' })).status).toBe(422)
    expect((await forum.visitor().tryCall(login, { account, password: typedPassword })).status).toBe(200)
  })

  test('the address of a page leads to the floor that it began with, and that of a moved thread to where it is', async () => {
    const second = await forum.app.inject('/thread-1-2-1.html')
    const [topicId, commentId] = [await newIdOf(forum, 'thread', '1'), await newIdOf(forum, 'comment', '3')]
    expect([second.statusCode, second.headers.location]).toEqual([301, `/thread?topicId=${topicId}&commentId=${commentId}`])
    const gone = await forum.app.inject('/thread-4-1-1.html')
    expect([gone.statusCode, gone.headers.location]).toEqual([301, `/thread?topicId=${await newIdOf(forum, 'thread', '2')}`])
  })
})

describe.each(ways)('phpBB 3.3 with rights in its forums, %s', (way) => {
  let forum: Forum
  beforeAll(async () => {
    forum = await moved('phpbb', oldPhpbb, { way, charset: 'utf8mb3' })
  })

  test('counters and books are sound', () => assertSound(forum))

  test('a guest, a post deleted softly and one that waits come as they were', async () => {
    const comments = (await commentsIn(forum)).map(({ floor, status, text, author }) => [floor, status, text, author])
    expect(comments).toEqual([
      [1, 'published', 'of a guest', 'Passer & by'],
      [2, 'deleted', 'deleted softly', 'admin'],
      [3, 'published', 'the last', 'Ann & Co'],
      [null, 'pending', 'waits', 'admin'],
    ])
    const reviews = await forum.database.app.selectFrom('review').select('kind').execute()
    expect(reviews).toEqual([{ kind: 'comment' }])
  })

  test('a banned member is shut out, with the reason', async () => {
    const member = await forum.database.app
      .selectFrom('member')
      .select(['deactivated_as', 'deactivated_because'])
      .where('account', '=', 'Spammer')
      .executeTakeFirstOrThrow()
    expect(member).toEqual({ deactivated_as: 'disabled', deactivated_because: 'Spam & more' })
  })

  test.each([
    ['1', 'Open &lt;one&gt;'],
    ['7', 'Archive'],
  ])('a visitor reads topic %s, also by its old address', async (oldId, title) => {
    const { statusCode, headers } = await forum.app.inject(`/forum/viewtopic.php?t=${oldId}`)
    expect(statusCode).toBe(301)
    expect((await forum.app.inject(headers.location ?? '')).body).toContain(title)
  })

  test.each([
    ['2', 'of insiders'],
    ['4', 'without rights'],
    ['5', 'without access'],
    ['6', 'in a list'],
  ])('a visitor does not read topic %s, a secret %s', async (oldId, title) => {
    const topicId = await newIdOf(forum, 'thread', oldId)
    const pages = ['/', '/index', `/thread?topicId=${topicId}`, `/api/thread?topicId=${topicId}`, `/forum/viewtopic.php?t=${oldId}`]
    for (const page of pages) {
      const { body, headers } = await forum.app.inject(page)
      const landed = headers.location === undefined ? '' : (await forum.app.inject(headers.location)).body
      expect(`${body}${landed}`).not.toMatch(new RegExp(`Secret ${title}|body of ${oldId}`))
    }
    expect((await forum.app.inject(`/thread?topicId=${topicId}`)).statusCode).toBe(403)
  })

  test('a forum of a group is read by its members, without those whose membership is pending', async () => {
    const roleId = await newIdOf(forum, 'group', '8')
    const holders = await forum.database.app.selectFrom('role_holding').select('member_id').where('role_id', '=', roleId).execute()
    expect(holders).toEqual([{ member_id: await newIdOf(forum, 'member', '3') }])
    const topicId = await newIdOf(forum, 'thread', '2')
    for (const [account, status] of [
      ['Ann & Co', 200],
      ['Mei', 403],
    ] as const) {
      const member = forum.visitor()
      member.pair = sessionOf(await member.call(login, { account, password: phpbbPassword }))
      expect([account, (await member.tryCall(thread, { topicId })).status]).toEqual([account, status])
    }
  })

  test('a forum without writers has none here', async () => {
    const tagId = await newIdOf(forum, 'tag', '7')
    const { rows: rights } = await sql`select right_name from role_right where tag_id = ${tagId} and right_name not like '%.view'`.execute(
      forum.database.app,
    )
    expect(rights).toEqual([])
    const tag = await forum.database.app.selectFrom('tag').select('is_restricted').where('id', '=', tagId).executeTakeFirstOrThrow()
    expect(tag.is_restricted).toBe(true)
  })

  test('a shadow topic is an address of the real one', async () => {
    const { headers } = await forum.app.inject('/forum/viewtopic.php?t=3')
    expect(headers.location).toBe(`/thread?topicId=${await newIdOf(forum, 'thread', '1')}`)
  })

  test('a private message has its subject above its text', async () => {
    expect(await messagesIn(forum)).toEqual([{ text: 'Hi <you>\nprivate words', author_id: await newIdOf(forum, 'member', '3') }])
  })
})

describe('Flarum 1.8 with times and truths of its types', () => {
  test('comes the same live as from a dump', async () => {
    const [read, dumped] = [
      await moved('flarum', oldFlarum, { way: 'live', charset: 'utf8mb4' }),
      await moved('flarum', oldFlarum, { way: 'dump', charset: 'utf8mb4' }),
    ]
    await assertSound(read)
    const written = await writtenIn(read)
    expect(written).toEqual(await writtenIn(dumped))
    expect(written.topics).toHaveLength(12)
    expect(await messagesIn(read)).toHaveLength(2)
  })
})
