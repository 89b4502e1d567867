import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { listTags, myTags } from '#tag/contract.ts'
import { aClosedTag, aRole, aTag, closedTags, giveRole } from '#tag/testing/factories.ts'
import { similarTopics } from '#topic/similar-contract.ts'
import * as contract from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { documentWith, mention, paragraph, picture, says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let tom: Person
let tea: string
let oolong: string

beforeAll(async () => {
  forum = await aForum()
  tea = await aTag(forum.database, { name: 'tea' })
  oolong = await aTag(forum.database, { name: 'oolong', under: tea })
})

// New people for every test, because of the rate limits for posts.
beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
})

test('a published topic is readable for everyone, whole and escaped', async () => {
  const body = says('First <b>words</b>', 'Second words')
  const { topicId } = await mei.call(contract.publishTopic, { tagId: oolong, title: '  A quiet oolong  ', body })
  const read = await forum.visitor().call(contract.thread, { topicId })
  expect(read).toMatchObject({
    title: 'A quiet oolong',
    summary: 'First <b>words</b> Second words',
    author: { name: mei.account },
    place: { id: oolong, parent: { id: tea } },
    editedAt: null,
    commentCount: 0,
    floors: 0,
    takesComments: true,
  })
  expect(read.segments).toEqual([{ html: '<p>First &lt;b&gt;words&lt;/b&gt;</p><p>Second words</p>' }])
})

test('the kept page of a topic shows an edit at once, and the version before stays readable', async () => {
  const topicId = await aTopic(mei, oolong, { title: 'Before', body: says('old words') })
  await forum.visitor().call(contract.thread, { topicId })
  const source = await mei.call(contract.editableTopic, { topicId })
  expect(source).toMatchObject({ title: 'Before', body: says('old words'), place: { id: oolong } })

  await mei.call(contract.editTopic, { topicId, title: 'After', body: says('new words') })
  const read = await forum.visitor().call(contract.thread, { topicId })
  expect(read).toMatchObject({ title: 'After', segments: [{ html: '<p>new words</p>' }] })
  expect(read.editedAt).not.toBeNull()

  const { versions, total } = await forum.visitor().call(contract.topicHistory, { topicId })
  expect(total).toBe(2)
  expect(versions.map((version) => [version.title, version.segments[0]?.html])).toEqual([
    ['After', '<p>new words</p>'],
    ['Before', '<p>old words</p>'],
  ])
  expect(versions[1]?.writtenAt).toBe(read.publishedAt)
})

test('an edit that changes nothing leaves no version', async () => {
  const topicId = await aTopic(mei, oolong, { title: 'Same', body: says('same') })
  await mei.call(contract.editTopic, { topicId, title: 'Same', body: says('same') })
  expect((await mei.call(contract.thread, { topicId })).editedAt).toBeNull()
  expect((await mei.call(contract.topicHistory, { topicId })).total).toBe(1)
})

test('a removed topic is gone everywhere, and the counts with it', async () => {
  const before = await countsOf(mei)
  const topicId = await aTopic(mei, oolong, { title: 'Soon gone' })
  expect(await countsOf(mei)).toEqual({ member: before.member + 1, oolong: before.oolong + 1, tea: before.tea + 1, list: before.list + 1 })
  await mei.call(contract.removeTopic, { topicId })
  expect(await countsOf(mei)).toEqual(before)

  const visitor = forum.visitor()
  expect((await visitor.tryCall(contract.thread, { topicId })).status).toBe(404)
  expect((await visitor.tryCall(contract.topicHistory, { topicId })).status).toBe(404)
  expect((await visitor.tryCall(similarTopics, { topicId })).status).toBe(404)
  expect((await mei.tryCall(contract.removeTopic, { topicId })).status).toBe(404)
  expect((await mei.tryCall(contract.editTopic, { topicId, title: 'Back', body: says('back') })).status).toBe(404)
})

test('sent twice with one key, a topic is published once', async () => {
  const draft = { tagId: oolong, title: 'Once', body: says('only once') }
  const key = { 'idempotency-key': 'one-key-for-one-topic' }
  const answers = await Promise.all([mei.call(contract.publishTopic, draft, key), mei.call(contract.publishTopic, draft, key)])
  expect(answers[0]).toEqual(answers[1])
})

describe('permissions', () => {
  test('visitors write nothing', async () => {
    const visitor = forum.visitor()
    const topicId = await aTopic(mei, oolong)
    const body = says('no')
    expect((await visitor.tryCall(contract.publishTopic, { tagId: oolong, title: 'No', body })).status).toBe(401)
    expect((await visitor.tryCall(contract.editTopic, { topicId, title: 'No', body })).status).toBe(401)
    expect((await visitor.tryCall(contract.removeTopic, { topicId })).status).toBe(401)
    expect((await visitor.tryCall(contract.editableTopic, { topicId })).status).toBe(401)
    expect((await visitor.tryCall(myTags, {})).status).toBe(401)
  })

  test("a member cannot change or remove another member's topic", async () => {
    const topicId = await aTopic(mei, oolong, { title: 'Mine', body: says('mine') })
    expect((await tom.tryCall(contract.editTopic, { topicId, title: 'Ours', body: says('ours') })).status).toBe(403)
    expect((await tom.tryCall(contract.removeTopic, { topicId })).status).toBe(403)
    expect((await tom.tryCall(contract.editableTopic, { topicId })).status).toBe(403)
    expect((await mei.call(contract.thread, { topicId })).title).toBe('Mine')
  })

  test('a moderator may change and remove the topics of others', async () => {
    const keeper = await forum.member()
    await giveRole(forum.database, keeper.id, await aRole(forum.database, ['content.edit.any', 'content.remove.any']))
    const topicId = await aTopic(mei, oolong, { title: 'Rude' })
    await keeper.call(contract.editTopic, { topicId, title: 'Kind', body: says('kind'), reason: 'rude' })
    expect(await mei.call(contract.thread, { topicId })).toMatchObject({ title: 'Kind', author: { name: mei.account } })
    await keeper.call(contract.removeTopic, { topicId, reason: 'rude' })
    expect((await mei.tryCall(contract.thread, { topicId })).status).toBe(404)
  })

  test('a moderator of one tag has no rights in another', async () => {
    const keeper = await forum.member()
    await giveRole(forum.database, keeper.id, await aRole(forum.database, ['content.remove.any'], await aTag(forum.database)))
    const topicId = await aTopic(mei, oolong)
    expect((await keeper.tryCall(contract.removeTopic, { topicId })).status).toBe(403)
  })

  test('a deactivated member writes nothing', async () => {
    const deactivatedMember = await forum.member()
    await forum.database.app
      .updateTable('member')
      .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
      .where('id', '=', deactivatedMember.id)
      .execute()
    expect((await deactivatedMember.tryCall(contract.publishTopic, { tagId: oolong, title: 'No', body: says('no') })).status).toBe(401)
  })

  test('topics go into tags at the ends of the tree only, and into tags that exist', async () => {
    for (const tagId of [tea, '999999']) {
      const { status, error } = await mei.tryCall(contract.publishTopic, { tagId, title: 'Where?', body: says('here') })
      expect([status, Object.keys(error)]).toEqual([422, ['tagId']])
    }
  })

  test('closed functions are closed to publishing and editing', async () => {
    const topicId = await aTopic(mei, oolong)
    await change('allowTopics', false)
    await change('allowTopicEdits', false)
    expect((await mei.tryCall(contract.publishTopic, { tagId: oolong, title: 'No', body: says('no') })).status).toBe(422)
    expect((await mei.tryCall(contract.editTopic, { topicId, title: 'No', body: says('no') })).status).toBe(422)
    await change('allowTopics', true)
    await change('allowTopicEdits', true)
  })
})

describe('a restricted tag', () => {
  test.each(closedTags)('that is %s shows itself and its topics only to members with access', async (_, close) => {
    const { tagId, admit } = await close(forum.database, { name: 'cellar' })
    const insider = await forum.member()
    await admit(insider.id)
    const topicId = await aTopic(insider, tagId, { title: 'Secret pu-erh cellar' })
    const open = await aTopic(insider, oolong, { title: 'Open pu-erh cellar' })

    for (const outsider of [forum.visitor(), tom]) {
      const refused = await outsider.tryCall(contract.thread, { topicId })
      expect(refused.status).toBe(403)
      expect(refused.response.body).not.toContain('Secret')
      expect((await outsider.tryCall(contract.topicHistory, { topicId })).status).toBe(404)
      expect((await outsider.tryCall(similarTopics, { topicId })).status).toBe(404)
      expect((await outsider.tryCall(contract.listTopics, { tagId })).status).toBe(404)
      for (const sort of ['reply', 'new', 'hot'] as const) {
        expect(titlesOf(await outsider.call(contract.listTopics, { sort }))).not.toContain('Secret pu-erh cellar')
        expect(titlesOf(await outsider.call(contract.listTopics, { sort, tagId: tea }))).not.toContain('Secret pu-erh cellar')
      }
      expect(titlesOf(await outsider.call(similarTopics, { topicId: open }))).not.toContain('Secret pu-erh cellar')
      expect(titlesOf(await outsider.call(contract.hotTopics, {}))).not.toContain('Secret pu-erh cellar')
      expect(titlesOf(await outsider.call(contract.memberTopics, { userId: insider.id }))).toEqual(['Open pu-erh cellar'])
      expect(JSON.stringify(await outsider.call(listTags, {}))).not.toContain('cellar')
    }
    expect((await tom.tryCall(contract.publishTopic, { tagId, title: 'Let me in', body: says('please') })).status).toBe(422)
    expect((await tom.call(myTags, {})).publishIn).not.toContain(tagId)

    expect((await insider.call(contract.thread, { topicId })).title).toBe('Secret pu-erh cellar')
    expect(titlesOf(await insider.call(contract.listTopics, {}))).toContain('Secret pu-erh cellar')
    expect(titlesOf(await insider.call(similarTopics, { topicId: open }))).toContain('Secret pu-erh cellar')
    expect((await insider.call(myTags, {})).publishIn).toContain(tagId)
  })

  test('shows members with access more than a visitor, which their pages are told', async () => {
    const { admit } = await aClosedTag(forum.database, { name: 'loft' })
    const insider = await forum.member()
    const seesAsVisitor = async (who: Visitor) => (await who.call(baseInfo, {})).seesAsVisitor
    expect([await seesAsVisitor(forum.visitor()), await seesAsVisitor(insider)]).toEqual([true, true])
    await admit(insider.id)
    expect([await seesAsVisitor(insider), await seesAsVisitor(tom)]).toEqual([false, true])
  })

  test('says which roles may look', async () => {
    const { admit } = await aClosedTag(forum.database, { under: tea, name: 'attic' })
    const insider = await forum.member()
    await admit(insider.id)
    const { tags } = await insider.call(listTags, {})
    const attic = tags.flatMap((tag) => tag.children).find((tag) => tag.name.en === 'attic')
    expect(attic).toMatchObject({ isRestricted: true, viewers: [{ en: expect.stringMatching(/^role/) }] })
    expect(tags.flatMap((tag) => tag.children).find((tag) => tag.id === oolong)).toMatchObject({ isRestricted: false, viewers: [] })
  })
})

describe('hostile and broken input', () => {
  test('a document that does not fit is refused at its field', async () => {
    const bad: unknown[] = [
      { type: 'doc', content: [] },
      says('   '),
      { type: 'doc', content: [{ type: 'script', content: [{ type: 'text', text: 'alert(1)' }] }] },
      {
        type: 'doc',
        content: [
          { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }] },
        ],
      },
      { type: 'doc', content: [{ type: 'paragraph', attrs: { onclick: 'x' }, content: [{ type: 'text', text: 'x' }] }] },
      says('x'.repeat(50_001)),
      documentWith(paragraph(mention('999999'))),
      documentWith(picture('f_of_somebody_else_0000001')),
    ]
    const topicId = await aTopic(tom, oolong)
    for (const body of bad) {
      const { status, error } = await tom.tryCall(contract.editTopic, { topicId, title: 'Hostile', body: body as never })
      expect([status, Object.keys(error)]).toEqual([422, ['body']])
    }
  })

  test('a title is needed and has an end', async () => {
    const topicId = await aTopic(tom, oolong)
    const unseen = ['\u200b\u202e\u2060', '\u3164\u115f', '\u2800', '\u{e0041}\ufe0f', '\u0301\u0301']
    for (const title of ['', '   ', ...unseen, `a${'\u0301'.repeat(11)}`, 'x'.repeat(91)]) {
      const { status, error } = await tom.tryCall(contract.editTopic, { topicId, title, body: says('words') })
      expect([status, Object.keys(error)]).toEqual([422, ['title']])
    }
  })

  test('a title is one line, and turns nothing around', async () => {
    const topicId = await aTopic(tom, oolong, { title: ' Two\nlines \u202e and\t\ta family 👨‍👩‍👧 ' })
    expect((await tom.call(contract.thread, { topicId })).title).toBe('Two lines and a family 👨‍👩‍👧')
  })

  test('a field only for staff cannot be sent along', async () => {
    const input = { topicId: await aTopic(tom, oolong), title: 'Pinned!', body: says('words'), pin: 9 }
    expect((await tom.tryCall(contract.editTopic, input)).status).toBe(400)
  })
})

test('a mention shows the name that the member goes by now', async () => {
  const topicId = await aTopic(mei, oolong, { body: documentWith(paragraph(mention(tom.id, 'old name'))) })
  const { app } = forum.database
  await app.updateTable('member').set({ nickname: '<Tommy>', nickname_key: '<tommy>' }).where('id', '=', tom.id).execute()
  await mei.call(contract.editTopic, { topicId, title: 'Renamed', body: documentWith(paragraph(mention(tom.id, 'older name'))) })
  await app.updateTable('member').set({ nickname: 'T & Co', nickname_key: 't & co' }).where('id', '=', tom.id).execute()
  const { segments } = await forum.visitor().call(contract.thread, { topicId })
  expect(segments[0]?.html).toBe(`<p><a class="mention" href="/user/control/home?userId=${tom.id}">@T &amp; Co</a></p>`)
})

test('members who hide their activity have no public list of topics', async () => {
  const shy = await forum.member()
  await aTopic(shy, oolong)
  await forum.database.app.updateTable('member').set({ shows_activity: false }).where('id', '=', shy.id).execute()
  expect((await tom.tryCall(contract.memberTopics, { userId: shy.id })).status).toBe(403)
  expect((await forum.visitor().tryCall(contract.memberTopics, {})).status).toBe(401)
  expect((await shy.call(contract.memberTopics, {})).total).toBe(1)
})

function titlesOf({ topics }: { topics: { title: string }[] }): string[] {
  return topics.map((topic) => topic.title)
}

async function countsOf(person: Person) {
  const [{ counts }, { tags }, { total }] = await Promise.all([
    person.call(home, {}),
    person.call(listTags, {}),
    person.call(contract.listTopics, {}),
  ])
  const all = tags.flatMap((tag) => [tag, ...tag.children])
  const countOf = (id: string) => all.find((tag) => tag.id === id)?.topicCount ?? -1
  return { member: counts?.topics ?? -1, oolong: countOf(oolong), tea: countOf(tea), list: total }
}

async function change(name: 'allowTopics' | 'allowTopicEdits', value: boolean): Promise<void> {
  const { database } = forum
  await transact(database, (tx) => setting.change(tx, name, value, 'test'))
}
