import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { sha1Of } from '#importer/server/discourse/upload-address.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, conversationsIn, messagesIn, movedIn, newIdOf } from '#importer/testing/moved-in.ts'
import { oldDiscourse, typedPassword, uploadPath, uploads } from '#importer/testing/old-discourse.ts'
import { postgresDump } from '#importer/testing/postgres-dump.ts'

const { path: folder, write } = dumpFolder()
const cup = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

const files = {
  [uploads.picture]: ['cup.png', cup],
  [uploads.short]: ['letter.txt', Buffer.from('a letter')],
  [uploads.secure]: ['secret.png', cup],
} as const
for (const [short, [name, bytes]] of Object.entries(files)) {
  const path = join(folder, uploadPath(sha1Of(short) ?? '', name))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

const forum = await movedIn('discourse', {
  from: write('dump.sql.gz', gzipSync(postgresDump(oldDiscourse))),
  files: folder,
  origin: 'https://old.example/forum',
})
const { app } = forum.database
const bodyOf = async (title: string) => {
  const { body } = await app.selectFrom('topic').select('body').where('title', '=', title).executeTakeFirstOrThrow()
  return body as Doc
}
const locationOf = async (url: string) => {
  const { statusCode, headers } = await forum.app.inject(url)
  expect(statusCode, url).toBe(301)
  return headers.location
}

test('a Discourse leaves counters sound', async () => {
  expect(await counterMismatches(app)).toEqual([])
  expect(await newestMismatches(app)).toEqual([])
})

test('a Discourse has its topics, each in its state; private messages are none', async () => {
  const topics = await app.selectFrom('topic').select(['title', 'kind', 'status', 'pin', 'takes_comments']).orderBy('id').execute()
  expect(topics.map((one) => [one.title, one.kind, one.status, one.pin, one.takes_comments])).toEqual([
    ['Which water 🍵', 'topic', 'published', 2, false],
    ['Secret of tasters', 'topic', 'published', 0, true],
    ['Secret of staff', 'topic', 'published', 0, true],
    ['In no list', 'topic', 'deleted', 0, true],
    ['How hot', 'question', 'published', 0, true],
    ['A poll', 'topic', 'published', 0, true],
    ['Removed', 'topic', 'deleted', 0, true],
    ['Without a category', 'topic', 'published', 0, true],
  ])
})

test('a Discourse has its posts on their floors, and of a whisper neither words nor author', async () => {
  const comments = (await commentsIn(forum)).filter(({ thread }) => thread === 'Which water 🍵')
  expect(comments.map(({ floor, status, text, author }) => [floor, status, text, author])).toEqual([
    [1, 'published', 'the first answer', 'Ann.Lee'],
    [2, 'deleted', '', 'Guest'],
    [3, 'deleted', '', 'Guest'],
    [4, 'published', 'Ann.Lee:\nthe first answer\nyes', 'mei'],
    [5, 'deleted', 'removed words', 'Ann.Lee'],
    [6, 'deleted', 'hidden words', 'Ann.Lee'],
    [7, 'deleted', '', 'Guest'],
    [8, 'published', 'by staff', 'admin'],
    [9, 'published', 'of someone who is gone', 'Guest'],
    [10, 'published', 'of the program', 'system'],
    [11, 'published', expect.stringContaining('see'), 'Ann.Lee'],
  ])
  const everything = await app.selectFrom('comment').select(['body', 'segments', 'text']).execute()
  expect(JSON.stringify(everything)).not.toContain('whisper')
})

test('a Discourse has the quote and the answer lead to the post', async () => {
  const [first, answer] = [await newIdOf(forum, 'comment', '101'), await newIdOf(forum, 'comment', '103')]
  const row = await app.selectFrom('comment').select(['quotes', 'body']).where('id', '=', answer).executeTakeFirstOrThrow()
  expect(row.quotes).toBe(first)
  expect(JSON.stringify(row.body)).toContain(`commentId=${first}`)
})

test('a Discourse shows a picture by its short name, and a secure one in its own post alone', async () => {
  expect(JSON.stringify(await bodyOf('Which water 🍵'))).toContain('"type":"image"')
  expect(JSON.stringify(await bodyOf('Secret of tasters'))).toContain('"type":"image"')
  const id = await newIdOf(forum, 'comment', '110')
  const { body } = await app.selectFrom('comment').select('body').where('id', '=', id).executeTakeFirstOrThrow()
  expect((body as Doc).content.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph', 'file'])
})

test('a Discourse has its tags as further ones but for those that only some see', async () => {
  const topic = await newIdOf(forum, 'thread', '10')
  const { rows } = await sql<{ tag: string }>`
    select name_en as tag from topic_tag join tag on tag.id = tag_id where topic_id = ${topic} order by name_en`.execute(app)
  expect(rows).toEqual([{ tag: 'spring' }])
  expect(await locationOf('/tag/spring')).toBe(`/index?tagId=${await newIdOf(forum, 'tag', 'tag/spring')}`)
  expect(toText(await bodyOf('Which water 🍵'))).not.toMatch(/#|internal/)
})

test('a Discourse opens categories to whom they were open', async () => {
  const { rows } = await sql<{ tag: string; role: string; rights: string }>`
    select tag.name_en as tag, role.name_en as role, string_agg(right_name, ' ' order by right_name) as rights
    from role_right join tag on tag.id = tag_id join role on role.id = role_id
    where right_name in ('tag.view', 'comment.post', 'topic.publish') group by tag.id, role.id order by tag.id, role.id`.execute(app)
  expect(rows).toEqual([
    { tag: 'Tasters alone', role: 'tasters', rights: 'comment.post tag.view topic.publish' },
    { tag: 'Announcements', role: 'Guest', rights: 'comment.post tag.view' },
    { tag: 'Members', role: 'tasters', rights: 'comment.post tag.view topic.publish' },
    { tag: 'Members', role: 'Old teahouse', rights: 'tag.view' },
  ])
})

test('a Discourse has its poll with what members chose', async () => {
  const options = await app.selectFrom('poll_option').select(['id', 'label']).orderBy('place').execute()
  expect(options.map(({ label }) => label)).toEqual(['Green', 'Black 🍵', 'White'])
  const ballots = await app.selectFrom('poll_ballot').select('option_ids').orderBy('member_id').execute()
  expect(ballots.map(({ option_ids }) => option_ids)).toEqual([[options[2]?.id], [options[0]?.id, options[1]?.id]])
  expect(toText(await bodyOf('A poll'))).toBe('Vote:\nThanks')
})

test('a Discourse has the accepted answer', async () => {
  const adopted = await app.selectFrom('adoption').select(['comment_id']).execute()
  expect(adopted).toEqual([{ comment_id: await newIdOf(forum, 'comment', '115') }])
})

test('a Discourse has likes that were not taken back, bookmarks, levels and the place that was read', async () => {
  const counts = await app.selectFrom('comment').select(['like_count']).where('like_count', '>', 0).execute()
  expect(counts).toEqual([{ like_count: 1 }])
  expect((await app.selectFrom('favourite').select('topic_id').execute()).length).toBe(2)
  const follows = await app.selectFrom('follow').select(['of', 'level']).orderBy('of').orderBy('level').execute()
  expect(follows).toEqual([
    { of: 'tag', level: 'muted' },
    { of: 'tag', level: 'tracking' },
    { of: 'topic', level: 'watching' },
  ])
  expect(await app.selectFrom('topic_read_position').select('floor').execute()).toEqual([{ floor: 5 }])
})

test('a Discourse has its letters, one to each who took part, and none of staff', async () => {
  const all = (await messagesIn(forum)).map(({ text }) => text)
  expect(all.toSorted()).toEqual(['A letter\nprivate words', 'A letter\nprivate words', 'private answer', 'private answer'])
  expect((await conversationsIn(forum)).length).toBe(6)
})

test.each([
  ['Ann.Lee', 'the table of passwords'],
  ['older', 'the table of members'],
])('a Discourse lets %s in by the password of then, from %s', async (account) => {
  expect((await forum.visitor().tryCall(login, { account, password: 'wrong cup' })).status).toBe(422)
  expect((await forum.visitor().tryCall(login, { account, password: typedPassword })).status).toBe(200)
})

test('a Discourse is found at its old addresses', async () => {
  const topic = await newIdOf(forum, 'thread', '10')
  const comment = async (id: string) => `/thread?topicId=${topic}&commentId=${await newIdOf(forum, 'comment', id)}`
  expect(await locationOf('/t/which-water/10')).toBe(`/thread?topicId=${topic}`)
  expect(await locationOf('/forum/t/which-water/10/2')).toBe(await comment('101'))
  expect(await locationOf('/t/10/5')).toBe(await comment('103'))
  expect(await locationOf('/t/which-water/10/8')).toBe(await comment('105'))
  expect(await locationOf('/p/109')).toBe(await comment('109'))
  expect(await locationOf('/c/tea/green/3')).toBe(`/index?tagId=${await newIdOf(forum, 'tag', '3')}`)
  expect(await locationOf('/c/tea/green/longjing')).toBe(`/index?tagId=${await newIdOf(forum, 'tag', '4')}`)
  const member = await newIdOf(forum, 'member', '2')
  expect(await locationOf('/u/ann.lee')).toContain(member)
  expect(await locationOf('/users/Ann.Lee/activity')).toContain(member)
  const file = await newIdOf(forum, 'file', sha1Of(uploads.picture) ?? '')
  expect(await locationOf(`/uploads/short-url/${uploads.picture}.png`)).toBe(`/file/${file}`)
  expect(await locationOf(`/${uploadPath(sha1Of(uploads.picture) ?? '', 'cup.png')}`)).toBe(`/file/${file}`)
  expect(await locationOf(`/secure-uploads/original/1X/${sha1Of(uploads.picture)}.png`)).toBe(`/file/${file}`)
})

test('a Discourse has members with their addresses and bans', async () => {
  const members = await app
    .selectFrom('member')
    .select(['account', 'about', 'deactivated_as', 'deactivated_because'])
    .orderBy('id')
    .execute()
  expect(members.filter(({ account }) => ['Ann.Lee', 'spammer'].includes(account))).toEqual([
    { account: 'Ann.Lee', about: 'I like green tea 🍵\nTown: Hangzhou', deactivated_as: null, deactivated_because: null },
    { account: 'spammer', about: '', deactivated_as: 'disabled', deactivated_because: 'Spam' },
  ])
  const bans = await app.selectFrom('member_ban').innerJoin('member', 'member.id', 'member_id').select('account').distinct().execute()
  expect(bans).toEqual([{ account: 'loud_one' }])
})
