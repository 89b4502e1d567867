import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { invalidateNow } from '#base/testing/database.ts'
import type { Forum } from '#base/testing/forum.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import * as moved from '#importer/testing/moved-in.ts'
import { realSource, type RealProgram } from '#importer/testing/real-source.ts'
import { thread } from '#topic/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** A forum that the rows of a real board moved into, from a dump and a folder. */
const movedIn = (program: RealProgram, choices: Partial<Mapping> = {}) => moved.movedIn(program, realSource(program), choices)

const titlesIn = ({ database: { app } }: Forum) => app.selectFrom('topic').select('title').orderBy('id').execute()

async function textOf({ database: { app } }: Forum, title: string): Promise<string> {
  const { body } = await app.selectFrom('topic').select('body').where('title', '=', title).executeTakeFirstOrThrow()
  return toText(body as Doc)
}

const logIn = (forum: Forum, account: string, password: string) => forum.visitor().tryCall(login, { account, password })

async function assertSound({ database }: Forum): Promise<void> {
  expect(await counterMismatches(database.app)).toEqual([])
  expect(await newestMismatches(database.app)).toEqual([])
  expect(await wallet.breachesIn(database, bookChecks, null)).toEqual([])
}

const titles = async (forum: Forum) => (await titlesIn(forum)).map(({ title }) => title)

describe('the rows of phpBB 3.3.15', async () => {
  const forum = await movedIn('phpbb')
  const { app } = forum.database

  test('leave counters and books sound', () => assertSound(forum))

  test('are read by nobody until an operator says who, as no table says who could', async () => {
    const { id: topicId } = await app.selectFrom('topic').select('id').where('title', '=', 'Plain').executeTakeFirstOrThrow()
    expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(403)
    expect((await (await forum.member()).tryCall(thread, { topicId })).status).toBe(403)
  })

  test('have titles in plain letters, and the moved topic once', async () => {
    const all = await titles(forum)
    expect(all).toEqual(expect.arrayContaining([`Tom & Jerry's "best" <3`, 'Emoji 😀 茶']))
    expect(all.filter((title) => title === 'B')).toHaveLength(1)
  })

  test.each([
    ['Plain', '1 < 2 & "so"\nbye'],
    ['Quote', 'Ann:\nHi\nanswer'],
    ['Unclosed', 'never closed'],
    ['Emoji 😀 茶', 'Tea 😀 and 👨‍👩‍👧 and 茶馆 👍🏽'],
    ['Code', 'a b\n\tif (x[0] < 1 && y[i]) { }\n[b]no[/b]\nafter'.replace('\t', ' ').replace('\n ', '\n')],
    ['Two pictures', 'A\nB\nC'],
  ])('say in %s what was read there', async (title, text) => {
    expect(await textOf(forum, title)).toBe(text)
  })

  test('show a file by its number from the newest', async () => {
    const { body } = await app.selectFrom('topic').select('body').where('title', '=', 'Two pictures').executeTakeFirstOrThrow()
    const pictures = (body as Doc).content.flatMap((block) => (block.type === 'image' ? [block.attrs.alt] : []))
    expect(pictures).toEqual(['second & 茶.png', 'first.png'])
  })

  test.each([
    ['admin', 'teahouse1'],
    ['Ann Lee', 'correct horse 1'],
    ["O'Neil & <Söhne>", ' <pass> & "word" '],
  ])('let %s in by the password of then', async (account, password) => {
    expect((await logIn(forum, account, `${password}x`)).status).toBe(422)
    const answer = await logIn(forum, account, password)
    expect(answer.status).toBe(200)
    const row = await app.selectFrom('member').select('password_hash').where('account', '=', account).executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
  })

  test('have a poll with the votes of its member', async () => {
    const options = await app
      .selectFrom('poll_option')
      .select(['id', 'label'])
      .orderBy('topic_id', 'desc')
      .orderBy('place')
      .limit(3)
      .execute()
    expect(options.map(({ label }) => label)).toEqual(['Green <b>', 'Black x 😀', '茶'])
    const ballots = await app.selectFrom('poll_ballot').select('option_ids').execute()
    expect(ballots).toEqual([{ option_ids: [options[0]?.id, options[2]?.id] }])
  })

  const oldAddresses = [
    '/viewtopic.php?t=2',
    '/viewtopic.php?f=2&t=3&start=1',
    '/viewtopic.php?p=18#p18',
    '/viewtopic.php?t=19',
    '/viewforum.php?f=2',
  ]
  const found = async (url: string) => {
    const { statusCode, headers } = await forum.app.inject(url)
    expect(statusCode).toBe(301)
    expect(headers.location).toMatch(/^\/(?:thread\?topicId=\d+(?:&commentId=\d+)?|index\?tagId=\d+)$/)
    return forum.app.inject(headers.location ?? '')
  }

  test('are found at their old addresses, and shown once the operator opens their forums', async () => {
    for (const url of oldAddresses) expect([403, 404]).toContain((await found(url)).statusCode)
    await app.updateTable('tag').set({ is_restricted: false }).execute()
    invalidateNow(forum.database, 'everything', 'tags', 'role')
    for (const url of oldAddresses) expect((await found(url)).statusCode).toBe(200)
  })

  test('leave an address that never was to the index', async () => {
    expect((await forum.app.inject('/viewtopic.php?t=4711')).statusCode).toBe(302)
  })
})

describe('the rows of Discuz! X3.5', async () => {
  const forum = await movedIn('discuz', { points: '2' })
  const { app } = forum.database

  test('leave counters and books sound', () => assertSound(forum))

  test('have titles in plain letters', async () => {
    expect(await titles(forum)).toEqual(['第一帖 & <b> "q"', 'Free part and price', 'A poll 茶'])
  })

  test('hide what was hidden, each part by its condition', async () => {
    const parts = await app.selectFrom('hidden.outline').select(['lock', 'needs']).orderBy('topic_id').execute()
    expect(parts).toEqual(
      expect.arrayContaining([
        { lock: 'comment', needs: null },
        { lock: 'level', needs: '100' },
        { lock: 'level', needs: '10' },
        { lock: 'password', needs: null },
      ]),
    )
    const everything = await app.selectFrom('topic').select(['body', 'segments', 'summary']).execute()
    expect(JSON.stringify(everything)).not.toMatch(/秘密|百分|三天|free text/)
  })

  test('stand on their floors, also one in the bin', async () => {
    const comments = await app.selectFrom('comment').select(['floor', 'status', 'text']).orderBy('floor').execute()
    expect(comments).toEqual([
      { floor: 1, status: 'deleted', text: 'reply one' },
      { floor: 2, status: 'published', text: 'admin\nreply one\nanswer to quote' },
      { floor: 3, status: 'published', text: 'off: [b]x[/b] :)' },
      { floor: 4, status: 'published', text: 'html on & bb' },
      { floor: 5, status: 'published', text: 'after the deletion' },
    ])
  })

  test('bring the credit that was chosen as points', async () => {
    const { rows: balances } = await sql<{ account: string; balance: string }>`
      select account, balance from ledger.account join member on member.id = owner_id order by member.id`.execute(app)
    expect(balances).toEqual([
      { account: 'admin', balance: '12' },
      { account: 'Ann', balance: '3' },
    ])
  })

  test.each([
    ['admin', 'teahouse1'],
    ['Ann', ' correct horse '],
  ])('let %s in by the password of then', async (account, password) => {
    const answer = await logIn(forum, account, password)
    expect(answer.status).toBe(200)
  })

  test.each([
    ['/thread-1-1-1.html', /^\/thread\?topicId=\d+$/],
    ['/thread-1-2-1.html', /&commentId=\d+$/],
    ['/forum.php?mod=viewthread&tid=2', /topicId=\d+$/],
    ['/forum.php?mod=redirect&goto=findpost&pid=8&ptid=1', /&commentId=\d+$/],
    ['/forum-2-1.html', /^\/index\?tagId=\d+$/],
  ])('are found at their old address %s', async (url, location) => {
    const answer = await forum.app.inject(url)
    expect(answer.statusCode).toBe(301)
    expect(answer.headers.location).toMatch(location)
  })
})

describe('the rows of NodeBB 4.15.1', async () => {
  const forum = await movedIn('nodebb')
  const { app } = forum.database

  test('leave counters and books sound', () => assertSound(forum))

  test('let a member in by the password of then', async () => {
    expect((await logIn(forum, 'Ann Lee', 'correct horse 1')).status).toBe(200)
  })

  test('stand on their floors, with the answer that a post names', async () => {
    const comments = await app.selectFrom('comment').select(['floor', 'status', 'text', 'quotes']).orderBy('floor').execute()
    expect(comments).toEqual([
      { floor: 1, status: 'published', text: '@Ann Lee first answer', quotes: null },
      { floor: 2, status: 'published', text: 'quoted\nsecond', quotes: expect.any(String) },
      { floor: 3, status: 'deleted', text: 'third, to be deleted', quotes: null },
      { floor: 4, status: 'published', text: 'fourth edited', quotes: null },
    ])
  })

  test('are found at their old address, counted from the opening', async () => {
    const { id } = await app.selectFrom('comment').select('id').where('floor', '=', 4).executeTakeFirstOrThrow()
    const answer = await forum.app.inject('/topic/2/tom-jerry-s-best-3/5')
    expect(answer).toMatchObject({ statusCode: 301, headers: { location: expect.stringMatching(new RegExp(`&commentId=${id}$`)) } })
  })
})
