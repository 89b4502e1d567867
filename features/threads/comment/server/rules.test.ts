import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { aForum, Person, type Forum } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import type { Language } from '#base/testing/visitor.ts'
import * as contract from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { setModerator } from '#role/server/role.ts'
import type { Settings } from '#setting/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editableTopic, editTopic, publishTopic, removeTopic, thread, topicForm } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person
let keeper: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  await rule(lenientSettings)
  mei = await forum.member()
  tom = await forum.member()
  keeper = await forum.member()
  await forum.database.app.transaction().execute((tx) => setModerator(tx, keeper.id, true))
  topicId = await aTopic(mei, tagId)
})

const long = 'A text long enough to count as the same wherever it stands'
const topic = (title: string, body: Doc = says('As the title says')) => ({ tagId, title, body })
const comment = (text: string, on = topicId) => ({ topicId: on, body: says(text) })

describe('lengths', () => {
  test('of titles and texts are what the site says, at publishing and at editing', async () => {
    await rule({ minTitleLength: 5, maxTitleLength: 40, minTopicLength: 6, minCommentLength: 3, minReplyLength: 2 })
    expect(await wrong(mei, publishTopic, topic('Four'))).toEqual({
      en: { title: 'A title needs at least 5 characters.' },
      zh: { title: '标题至少 5 个字。' },
    })
    expect(await wrong(mei, publishTopic, topic('x'.repeat(41)))).toEqual({
      en: { title: 'A title can have at most 40 characters.' },
      zh: { title: '标题最多 40 个字。' },
    })
    expect(await wrong(tom, publishTopic, topic('Fiver', says('f i v e !')))).toEqual({
      en: { body: 'Write at least 6 characters.' },
      zh: { body: '至少写 6 个字。' },
    })
    expect(await wrong(tom, publishTopic, topic('Four', says('five!')))).toEqual({
      en: { title: 'A title needs at least 5 characters.', body: 'Write at least 6 characters.' },
      zh: { title: '标题至少 5 个字。', body: '至少写 6 个字。' },
    })
    const { topicId: published } = await mei.call(publishTopic, topic('Fiver', says('sixsix')))
    expect((await mei.tryCall(editTopic, { topicId: published, title: 'Four', body: says('sixsix') })).error).toHaveProperty('title')
    expect((await mei.tryCall(editTopic, { topicId: published, title: 'Fiver', body: says('five!') })).error).toHaveProperty('body')
    await mei.call(editTopic, { topicId: published, title: 'x'.repeat(40), body: says('seven..') })

    const commentId = await aComment(tom, topicId, { body: says('abc') })
    const replyId = await aReply(tom, commentId, { body: says('👨‍👩‍👧👍') })
    for (const { error } of [
      await tom.tryCall(contract.addComment, comment('好茶')),
      await tom.tryCall(contract.editRemark, { kind: 'comment', id: commentId, body: says('好茶') }),
      await tom.tryCall(contract.addReply, { commentId, body: says('👨‍👩‍👧') }),
      await tom.tryCall(contract.editRemark, { kind: 'reply', id: replyId, body: says('👍') }),
    ])
      expect(Object.keys(error)).toEqual(['body'])
  })

  test('are counted by characters as people see them, the least and the most alike', async () => {
    const family = '👨‍👩‍👧‍👦'
    await rule({ minTitleLength: 2, maxTitleLength: 81, maxReplyLength: 100 })
    await mei.call(publishTopic, topic('茶'.repeat(80) + family))
    await mei.call(publishTopic, topic(family.repeat(81)))
    expect(await wrong(mei, publishTopic, topic('茶'.repeat(81) + family))).toEqual({
      en: { title: 'A title can have at most 81 characters.' },
      zh: { title: '标题最多 81 个字。' },
    })
    expect((await mei.tryCall(publishTopic, topic(family))).error).toHaveProperty('title')
    expect((await mei.tryCall(publishTopic, topic(Array.from({ length: 900 }, () => '👩').join('\u200d')))).error).toHaveProperty('title')
    const commentId = await aComment(tom, topicId)
    await aReply(tom, commentId, { body: says(family.repeat(60), family.repeat(40)) })
    expect((await tom.tryCall(contract.addReply, { commentId, body: says(family.repeat(60), family.repeat(41)) })).error).toEqual({
      body: 'Write at most 100 characters.',
    })
  })

  test('are shorter with such a setting', async () => {
    await rule({ maxTopicLength: 1000, maxCommentLength: 500, maxReplyLength: 100 })
    const commentId = await aComment(tom, topicId, { body: says('x'.repeat(250), 'x'.repeat(250)) })
    await aReply(tom, commentId, { body: says('x'.repeat(100)) })
    expect(await wrong(tom, contract.addReply, { commentId, body: says('x'.repeat(101)) })).toEqual({
      en: { body: 'Write at most 100 characters.' },
      zh: { body: '最多写 100 个字。' },
    })
    expect((await tom.tryCall(contract.addComment, comment('x'.repeat(501)))).error).toEqual({ body: 'Write at most 500 characters.' })
    expect((await tom.tryCall(publishTopic, topic('Long', says('x'.repeat(1001))))).error).toEqual({
      body: 'Write at most 1,000 characters.',
    })
  })

  test('do not apply to a picture alone', async () => {
    await rule({ minCommentLength: 100 })
    const body = documentWith(picture(await aPicture(tom)))
    expect(await tom.call(contract.addComment, { topicId, body })).toMatchObject({ floor: 1 })
  })
})

describe('new members', () => {
  test('have few links to other sites, and as many as they like to this one', async () => {
    await rule({ newMemberPosts: 100, newMemberLinks: 1 })
    const body = linking('https://a.example/1', 'https://A.example/1', 'https://a.example/1', '/thread?topicId=1')
    expect(await wrong(tom, contract.addComment, { topicId, body })).toEqual({
      en: { body: 'New members can add one external link or email address per post.' },
      zh: { body: '新成员每篇最多 1 个外部链接或邮箱链接。' },
    })
    const own = linking('http://localhost/index', 'http://localhost/thread?topicId=1', 'https://a.example/1', 'https://a.example/1')
    const { commentId } = await tom.call(contract.addComment, { topicId, body: own })
    expect((await tom.tryCall(contract.editRemark, { kind: 'comment', id: commentId, body })).error).toHaveProperty('body')
    const mail = linking('https://a.example/1', 'mailto:mei@a.example')
    expect((await tom.tryCall(contract.addComment, { topicId, body: mail })).error).toHaveProperty('body')
    await rule({ newMemberLinks: 0 })
    expect(await wrong(tom, publishTopic, topic('Visit', own))).toEqual({
      en: { body: 'New members can’t add external links or email addresses yet.' },
      zh: { body: '新成员暂不能发布外部链接和邮箱链接。' },
    })
    await keeper.call(contract.addComment, { topicId, body })
    await keeper.call(contract.editRemark, { kind: 'comment', id: commentId, body, reason: 'A link' })
  })

  test('have few pictures', async () => {
    await rule({ newMemberPosts: 100, newMemberPictures: 1 })
    const [one, two] = [await aPicture(tom, 60), await aPicture(tom, 70)]
    expect(await wrong(tom, publishTopic, topic('Two cups', documentWith(picture(one), picture(two))))).toEqual({
      en: { body: 'New members can add one picture per post.' },
      zh: { body: '新成员每篇最多 1 张图片。' },
    })
    await tom.call(publishTopic, topic('One cup', documentWith(picture(one), picture(one))))
    await rule({ newMemberPictures: 0 })
    expect((await tom.tryCall(contract.addComment, { topicId, body: documentWith(picture(two)) })).error).toEqual({
      body: 'New members can’t add pictures yet.',
    })
  })

  test('are new until they have been here long enough and have posts enough', async () => {
    await rule({ newMemberDays: 2, newMemberPosts: 2, newMemberLinks: 0 })
    const tries = async () => (await tom.tryCall(contract.addComment, { topicId, body: linking('https://a.example') })).status
    expect(await tries()).toBe(422)
    await aComment(tom, topicId)
    await aComment(tom, topicId)
    expect(await tries()).toBe(422)
    await joined(tom, '47 hours 59 minutes')
    expect(await tries()).toBe(422)
    await joined(tom, '48 hours')
    expect(await tries()).toBe(200)
    await rule({ newMemberPosts: 4 })
    expect(await tries()).toBe(422)
  })
})

test('new members are told their limits, and other members are not', async () => {
  await rule({
    newMemberPosts: 2,
    newMemberLinks: 1,
    newMemberPictures: 5,
    newMemberSecondsBetweenTopics: 60,
    newMemberSecondsBetweenComments: 10,
  })
  const { topicId: published } = await tom.call(publishTopic, topic('The first'))
  const newcomerRules = async (person: Person) => [
    (await person.call(contract.myThread, { topicId: published })).newcomer,
    (await person.call(topicForm, {})).newcomer,
    (await person.call(editableTopic, { topicId: published })).newcomer,
  ]
  const rules = { links: 1, pictures: 5, secondsBetweenTopics: 60, secondsBetweenComments: 10 }
  expect(await newcomerRules(tom)).toEqual([rules, rules, rules])
  expect(await newcomerRules(keeper)).toEqual([null, null, null])
  await aComment(tom, topicId)
  expect(await newcomerRules(tom)).toEqual([null, null, null])
  expect((await forum.visitor().tryCall(topicForm, {})).status).toBe(401)
})

describe('the time between posts', () => {
  test('is kept for topics, and apart from that for comments and replies', async () => {
    await rule({ secondsBetweenTopics: 30, secondsBetweenComments: 10 })
    await tom.call(publishTopic, topic('First'))
    await exactly(tom, { topic: 21 }, () => wrong(tom, publishTopic, topic('Second'))).toEqual({
      en: { body: 'Wait 9 more seconds.' },
      zh: { body: '再等 9 秒就可以发布了。' },
    })
    const commentId = await aComment(tom, topicId)
    const soon = async () => {
      const { status, response } = await tom.tryCall(contract.addReply, { commentId, body: says('Soon') })
      return [status, response.headers['retry-after'], response.json().seconds]
    }
    await exactly(tom, { remark: 3 }, soon).toEqual([429, '7', 7])
    await ago(tom, { topic: 30, remark: 10 })
    await aReply(tom, commentId)
    await tom.call(publishTopic, topic('Second'))
    expect(await forum.visitor().call(thread, { topicId })).toMatchObject({ commentCount: 2, floors: 1 })
  })

  test('is reported down to the last second', async () => {
    await rule({ secondsBetweenComments: 10 })
    const commentId = await aComment(tom, topicId)
    let tries = 0
    const again = async () => (await tom.tryCall(contract.addComment, comment(`Sooner ${++tries}`))).error
    await exactly(tom, { remark: 9 }, again).toEqual({ body: 'Wait 1 more second.' })
    const reply = async () => (await tom.tryCall(contract.addReply, { commentId, body: says(`Soon ${++tries}`) })).error
    await exactly(tom, { remark: 9 }, reply).toEqual({ body: 'Wait 1 more second.' })
  })

  test('is longer for new members', async () => {
    await rule({ newMemberPosts: 2, newMemberSecondsBetweenComments: 60, secondsBetweenComments: 5 })
    await aComment(tom, topicId)
    const second = async () => (await tom.tryCall(contract.addComment, comment('Second'))).error
    await exactly(tom, { remark: 20 }, second).toEqual({ body: 'Wait 40 more seconds.' })
    await ago(tom, { remark: 60 })
    await tom.call(contract.addComment, comment('Second'))
    await ago(tom, { remark: 5 })
    await tom.call(contract.addComment, comment('Third'))
  })

  test('does not apply to edits, nor to moderators', async () => {
    await rule({ secondsBetweenTopics: 3600, secondsBetweenComments: 3600, duplicateWindowHours: 24 })
    const commentId = await aComment(tom, topicId)
    await tom.call(contract.editRemark, { kind: 'comment', id: commentId, body: says('Better') })
    for (let count = 0; count < 3; count++) {
      await keeper.call(contract.addComment, comment(long))
      await keeper.call(publishTopic, topic('The rules', says(long)))
    }
  })

  test('lets one of twenty through that come at once', async () => {
    const places = [topicId, await aTopic(tom, tagId)]
    await rule({ secondsBetweenComments: 60 })
    const tries = Array.from({ length: 20 }, (_, n) => mei.tryCall(contract.addComment, comment(`Try ${n}`, places[n % 2])))
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(429)])
  })
})

describe('the same again', () => {
  beforeEach(() => rule({ duplicateWindowHours: 24 }))

  test('by the same member is refused, even with other case, width and spaces', async () => {
    await aComment(tom, topicId, { body: says(long) })
    const elsewhere = await aTopic(mei, tagId)
    expect(
      await wrong(tom, contract.addComment, comment('ａ  TEXT long enough to count as the same whereverit stands', elsewhere)),
    ).toEqual({
      en: { body: 'You posted the same thing less than 24 hours ago.' },
      zh: { body: '你在 24 小时内发布过相同的内容。' },
    })
    expect((await tom.tryCall(publishTopic, topic('Another title', says(long)))).error).toHaveProperty('body')
    const commentId = await aComment(mei, elsewhere, { body: says(long) })
    expect((await tom.tryCall(contract.addReply, { commentId, body: says(long) })).error).toHaveProperty('body')
    await aReply(tom, commentId, { body: says(`${long}, as I said.`) })
    await rule({ duplicateWindowHours: 1 })
    expect((await tom.tryCall(contract.addReply, { commentId, body: says(long) })).error).toEqual({
      body: 'You posted the same thing less than an hour ago.',
    })
  })

  test('is refused until the hours are over', async () => {
    await aComment(tom, topicId, { body: says(long) })
    await ago(tom, { said: 86_300 })
    expect((await tom.tryCall(contract.addComment, comment(long))).status).toBe(422)
    await ago(tom, { said: 86_400 })
    await aComment(tom, topicId, { body: says(long) })
    expect((await tom.tryCall(contract.addComment, comment(long))).status).toBe(422)
    await rule({ duplicateWindowHours: 0 })
    await aComment(tom, topicId, { body: says(long) })
  })

  test('in a few words is refused only under the same topic, to the same person', async () => {
    const [elsewhere, first, second] = [await aTopic(mei, tagId), await aComment(mei, topicId), await aComment(keeper, topicId)]
    await tom.call(contract.addComment, comment('谢谢'))
    expect((await tom.tryCall(contract.addComment, comment('谢谢 '))).status).toBe(422)
    await tom.call(contract.addComment, comment('谢谢', elsewhere))
    await tom.call(contract.addComment, { ...comment('谢谢'), quotes: first })
    await aReply(tom, first, { body: says('谢谢') })
    await aReply(tom, second, { body: says('谢谢') })
    expect((await tom.tryCall(contract.addReply, { commentId: first, body: says('谢谢') })).status).toBe(422)
  })

  test('of a topic includes its title, if its text is short', async () => {
    await tom.call(publishTopic, topic('Which tea'))
    await tom.call(publishTopic, topic('Which cup'))
    expect((await tom.tryCall(publishTopic, topic('Which tea'))).status).toBe(422)
  })

  test('in pictures is the same pictures', async () => {
    const [one, two] = [await aPicture(tom, 60), await aPicture(tom, 70)]
    await tom.call(contract.addComment, { topicId, body: documentWith(picture(one)) })
    await tom.call(contract.addComment, { topicId, body: documentWith(picture(two)) })
    expect((await tom.tryCall(contract.addComment, { topicId, body: documentWith(picture(one)) })).status).toBe(422)
  })

  test('may be written by another, by an edit, and after its removal', async () => {
    const commentId = await aComment(tom, topicId, { body: says(long) })
    const other = await aComment(mei, topicId, { body: says(long) })
    await mei.call(contract.editRemark, { kind: 'comment', id: other, body: says('Something else, and then again the first') })
    await mei.call(contract.editRemark, { kind: 'comment', id: other, body: says(long) })
    await tom.call(contract.removeRemark, { kind: 'comment', id: commentId })
    const again = await aReply(tom, other, { body: says(long) })
    await tom.call(contract.removeRemark, { kind: 'reply', id: again })
    const { topicId: published } = await tom.call(publishTopic, topic('Again', says(long)))
    await tom.call(removeTopic, { topicId: published })
    const last = await aComment(tom, topicId, { body: says(long) })
    await keeper.call(contract.removeRemark, { kind: 'comment', id: last, reason: 'Said twice' })
    expect((await tom.tryCall(contract.addComment, comment(long))).status).toBe(422)
  })

  test('is accepted once of twenty times at once, in any place and as any kind', async () => {
    const commentId = await aComment(mei, topicId)
    const elsewhere = await aTopic(mei, tagId)
    const tries = Array.from({ length: 20 }, (_, n) => {
      if (n < 5) return tom.tryCall(publishTopic, topic(`Topic ${n}`, says(long)))
      if (n < 10) return tom.tryCall(contract.addReply, { commentId, body: says(long) })
      return tom.tryCall(contract.addComment, comment(long, n % 2 ? topicId : elsewhere))
    })
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])
  })

  test('is not refused after a lost answer, and a refused post may be sent again', async () => {
    await rule({ secondsBetweenComments: 60 })
    const send = (text: string, key: string) => tom.tryCall(contract.addComment, comment(text), { 'idempotency-key': key })
    const first = await send(long, 'the-first-comment-key')
    expect([first.status, (await send(long, 'the-first-comment-key')).body]).toEqual([200, first.body])
    expect((await send('Then this', 'the-second-comment-key')).status).toBe(429)
    await ago(tom, { remark: 60 })
    expect((await send('Then this', 'the-second-comment-key')).status).toBe(200)
  })
})

async function rule(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

type TriedInput<E extends Parameters<Person['tryCall']>[0]> = Parameters<typeof mei.tryCall<E>>[1]

/** The refusal of a call, in both languages. */
async function wrong<E extends Parameters<Person['tryCall']>[0]>(person: Person, endpoint: E, input: TriedInput<E>) {
  async function as(language: Language): Promise<Record<string, string>> {
    const same = Object.assign(new Person(forum.app, { language }), { pair: person.pair })
    return (await same.tryCall(endpoint, input)).error
  }
  return { en: await as('en'), zh: await as('zh') }
}

/** Polls an outcome so many seconds after a member's last activity: on a busy machine the next second may come before it. */
function exactly<T>(person: Person, seconds: { topic?: number; remark?: number }, outcome: () => Promise<T>) {
  return expect.poll(async () => {
    await ago(person, seconds)
    return outcome()
  })
}

/** Moves a member's last activity so many seconds into the past. */
async function ago({ id }: Person, { topic, remark, said }: { topic?: number; remark?: number; said?: number }): Promise<void> {
  const before = (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds}::float8)`
  const { app } = forum.database
  if (topic) await sql`update member set last_topic_at = ${before(topic)} where id = ${id}`.execute(app)
  if (remark) await sql`update member set last_remark_at = ${before(remark)} where id = ${id}`.execute(app)
  if (said) await sql`update post_fingerprint set said_at = ${before(said)} where member_id = ${id}`.execute(app)
}

async function joined({ id }: Person, before: string): Promise<void> {
  const joined_at = sql<Date>`clock_timestamp() - ${before}::interval`
  await forum.database.app.updateTable('member').set({ joined_at }).where('id', '=', id).execute()
}

function linking(...hrefs: string[]): Doc {
  const links = hrefs.map((href) => ({ type: 'text' as const, text: `at ${href} `, marks: [{ type: 'link' as const, attrs: { href } }] }))
  return documentWith(paragraph(...links))
}

async function aPicture(person: Person, width = 60): Promise<string> {
  return (await sendFile(person, '/file/picture', { bytes: await plain({ width, height: 40 }).png().toBuffer() })).json().file
}
