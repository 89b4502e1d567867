import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Block, Doc, Lock } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { addComment, addReply } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as contract from '#hidden-part/contract.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { hides, partIds, seenBy } from '#hidden-part/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { addSensitiveList, addSensitiveWords, WordsInText } from '#sensitive-word/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { TooManyLinksYet } from '#writing/contract.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

// Topics are limited per minute.
beforeEach(async () => {
  mei = await forum.member()
})

const open: Block = paragraph({ type: 'text', text: 'What all may read.' })
const withParts = (...parts: Block[]): Doc => documentWith(open, ...parts)
const publish = (person: Person, body: Doc) => aTopic(person, tagId, { body })
const thread = (topicId: string) => forum.visitor().call(topic.thread, { topicId })
const source = async (topicId: string) => (await mei.call(topic.editableTopic, { topicId })).body
const edit = (topicId: string, body: Doc) => mei.call(topic.editTopic, { topicId, title: 'Written anew', body })

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

describe('a hidden text', () => {
  test('leaves its place in the topic with its lock and its price, and nothing of itself', async () => {
    const topicId = await publish(mei, withParts(hides('points', '5', 'the treasure'), open, hides('password', 'sesame', 'the cave')))
    const { segments, summary } = await thread(topicId)
    expect(segments.map(({ html, hidden }) => [html !== '', hidden?.lock, hidden?.value])).toEqual([
      [true, undefined, undefined],
      [false, 'points', '5'],
      [true, undefined, undefined],
      [false, 'password', ''],
    ])
    expect(summary).toBe('What all may read. What all may read.')
    const { markdown } = await forum.visitor().call(topic.topicMarkdown, { topicId })
    expect(markdown).toContain('\\[hidden part: points 5\\]')
    const { topics } = await forum.visitor().call(topic.listTopics, { tagId })
    expect(topics.find(({ id }) => id === topicId)?.locks).toEqual(['points', 'password'])
    const { rows } = await sql<{ row: string }>`select topic::text as row from topic where id = ${topicId}`.execute(forum.database.app)
    expect(rows[0]?.row).not.toMatch(/treasure|sesame|cave/)
  })
})

describe('a text that was hidden later, or costs money', () => {
  test('is withheld from an earlier version that showed it, after it moved into an existing part', async () => {
    const secret = paragraph({ type: 'text', text: 'the zinc key' })
    const topicId = await publish(mei, withParts(secret, hides('points', '5', 'treasure')))
    const { content } = await source(topicId)
    const part = content.at(-1)
    if (part?.type !== 'hidden') throw new Error('Nothing is hidden')
    await edit(topicId, documentWith(open, { ...part, content: [...(part.content ?? []), secret] }))
    expect(JSON.stringify(await forum.visitor().call(topic.topicHistory, { topicId }))).not.toContain('zinc')
  })

  test('is withheld from a version in between, in which its part was not there', async () => {
    const topicId = await publish(mei, withParts(hides('points', '5', 'the zinc key')))
    const { content } = await source(topicId)
    await edit(topicId, documentWith(open, paragraph({ type: 'text', text: 'the zinc key' })))
    await edit(topicId, documentWith(...content))
    const history = JSON.stringify(await forum.visitor().call(topic.topicHistory, { topicId }))
    expect(history).toContain('What all may read.')
    expect(history).not.toContain('zinc')
  })

  test('has no price in money on a site without a balance', async () => {
    await change({ allowCash: true })
    const topicId = await publish(mei, withParts(hides('balance', '990', 'the treasure'), hides('points', '5', 'the cave')))
    const listed = async () => (await forum.visitor().call(topic.listTopics, { tagId })).topics.find(({ id }) => id === topicId)?.locks
    const values = async () => (await thread(topicId)).segments.flatMap(({ hidden }) => hidden?.value ?? [])
    expect([await listed(), await values()]).toEqual([
      ['balance', 'points'],
      ['990', '5'],
    ])
    await change({ allowCash: false })
    expect([await listed(), await values()]).toEqual([['points'], ['', '5']])
  })
})

describe('a hidden part', () => {
  test('shows the name of the level that opens it', async () => {
    const [, second] = (await mei.call(contract.hiddenForm, {})).levels
    const topicId = await publish(mei, withParts(hides('level', second?.needs ?? '', 'for the wise')))
    expect((await thread(topicId)).segments.at(-1)?.hidden).toMatchObject({ lock: 'level', level: second?.name })
  })

  test('is in a table that neither role of the program can read', async () => {
    for (const db of [forum.database.app, forum.database.reader]) {
      for (const table of ['part', 'earlier', 'waiting', 'try', 'placed'])
        await expect(sql`select from ${sql.table(`hidden.${table}`)}`.execute(db)).rejects.toThrow('permission denied')
    }
    for (const action of [
      sql`insert into hidden.unlock (part_id, member_id, lock) values ('x', 1, 'password')`,
      sql`delete from hidden.unlock`,
    ])
      await expect(action.execute(forum.database.app)).rejects.toThrow('permission denied')
    await expect(sql`select hidden.save(1, null, '[]')`.execute(forum.database.reader)).rejects.toThrow('permission denied')
  })

  test('is returned to its author for editing, except the password', async () => {
    const parts = [hides('points', '5', 'the treasure'), hides('password', 'sesame', 'the cave')]
    const topicId = await publish(mei, withParts(...parts))
    const ids = partIds((await thread(topicId)).segments)
    const [points, password] = (await source(topicId)).content.filter(({ type }) => type === 'hidden')
    expect(points).toEqual({ ...parts[0], attrs: { id: ids[0], lock: 'points', value: '5' } })
    expect(password).toEqual({ ...parts[1], attrs: { id: ids[1], lock: 'password', value: '' } })
  })

  test('keeps its id when it is edited, and the password if none is given', async () => {
    const topicId = await publish(mei, withParts(hides('password', 'sesame', 'the cave')))
    const ids = partIds((await thread(topicId)).segments)
    const body = await source(topicId)
    await edit(topicId, JSON.parse(JSON.stringify(body).replace('the cave', 'the deep cave')))
    expect(partIds((await thread(topicId)).segments)).toEqual(ids)
    const tom = await forum.member()
    await tom.call(contract.unlockPart, { partId: ids[0] ?? '', password: 'sesame' })
    expect(await seenBy(tom, topicId)).toContain('the deep cave')
  })

  test('of another topic is not taken for its own', async () => {
    const theirs = await publish(mei, withParts(hides('points', '5', 'the treasure')))
    const [id = ''] = partIds((await thread(theirs)).segments)
    const [tom, bo] = [await forum.member(), await forum.member()]
    const copied: Block = { ...hides('points', '1', 'mine'), attrs: { id, lock: 'points', value: '1' } } as Block
    const topicId = await publish(tom, withParts(copied))
    expect(partIds((await thread(topicId)).segments)).not.toContain(id)
    const stub = { type: 'hidden', attrs: { id, lock: 'points', value: '1' } } as Block
    const draft = { tagId, title: 'With a part of hers', body: withParts(stub) }
    expect(await bo.isRefused(topic.publishTopic, draft, contract.PartGone)).toBe(true)
    expect(await seenBy(bo, topicId)).toBe('')
  })

  test('copied within a topic is a part of its own', async () => {
    const topicId = await publish(mei, withParts(hides('points', '5', 'the treasure')))
    const body = await source(topicId)
    await edit(topicId, documentWith(...body.content, ...body.content))
    expect(new Set(partIds((await thread(topicId)).segments)).size).toBe(2)
  })

  test('counts as an edit even alone, and makes earlier versions with the now hidden text unreadable', async () => {
    const topicId = await publish(mei, says('The secret was told to all.'))
    await edit(topicId, withParts(hides('comment', '', 'The secret')))
    const { versions } = await forum.visitor().call(topic.topicHistory, { topicId })
    expect(versions.map(({ isWithheld }) => isWithheld)).toEqual([false, true])
    expect(JSON.stringify(versions)).not.toContain('secret')
    const body = await source(topicId)
    await edit(topicId, JSON.parse(JSON.stringify(body).replace('The secret', 'Another')))
    expect((await forum.visitor().call(topic.topicHistory, { topicId })).total).toBe(3)
    expect((await thread(topicId)).editedAt).not.toBe(null)
  })
})

describe('a topic is refused', () => {
  test.each<[string, Block]>([
    ['without a password', hides('password', '', 'x')],
    ['with points that are none', hides('points', '0', 'x')],
    ['with a part of a point', hides('points', '1.5', 'x')],
    ['with fewer than none', hides('points', '-1', 'x')],
    ['with more than there are', hides('points', '100000000', 'x')],
    ['with a price that is none', hides('balance', 'free', 'x')],
    ['with nothing hidden', hides('comment', '', ' ')],
    ['with a lock that does not exist', { type: 'hidden', attrs: { lock: 'luck', value: '' }, content: [open] } as unknown as Block],
    ['with a slip of the pen', hides('comment', 'pionts=5', 'x')],
    ['with a part in a quote', { type: 'blockquote', content: [hides('points', '5', 'x')] }],
    ['with a part in a part', hides('points', '5', hides('points', '5', 'x'))],
    ['with a part that stands nowhere', { type: 'hidden', attrs: { id: 'h_x', lock: 'points', value: '5' } }],
  ])('%s', async (_, part) => {
    const { status, error } = await mei.tryCall(topic.publishTopic, { tagId, title: 'A topic', body: withParts(part) })
    expect([status, Object.keys(error ?? {})]).toEqual([422, ['body']])
  })

  test('if a typing error in Markdown would show a part meant to be hidden', async () => {
    for (const line of [':::hiden points=5', ':::hidden pionts=5', '：：：hidden points 5', '> :::hidden points=5', ':::hidden']) {
      const body = fromMarkdown(`Open.\n\n${line}\n\nsecret\n\n:::`)
      expect([line, (await mei.tryCall(topic.publishTopic, { tagId, title: 'A topic', body })).status]).toEqual([line, 422])
    }
  })

  test('with a lock that its author may not set, and is not where it was set before', async () => {
    const topicId = await publish(mei, withParts(hides('level', '0', 'x')))
    const body = await source(topicId)
    await sql`delete from role_right where right_name = 'hidden.level'`.execute(forum.database.app)
    forum.database.invalidations.announce(new Set(['role', 'everything']))
    const wish = { tagId, title: 'A topic', body: withParts(hides('level', '0', 'x')) }
    expect(await mei.isRefused(topic.publishTopic, wish, contract.LockNotAllowed)).toBe(true)
    expect((await mei.call(contract.hiddenForm, {})).locks).not.toContain('level')
    await edit(topicId, body)
  })

  test('if it exceeds the limits of the site', async () => {
    const refused = async (kind: Parameters<Person['isRefused']>[2], ...parts: Block[]) =>
      mei.isRefused(topic.publishTopic, { tagId, title: 'A topic', body: withParts(...parts) }, kind)
    expect(await refused(contract.NoSuchLevel, hides('level', '7', 'x'))).toBe(true)
    await change({ hiddenPartsPerTopic: 1, maxHiddenPoints: 10, maxHiddenCents: 100, allowCash: false })
    expect(await refused(contract.TooManyParts, hides('comment', '', 'x'), hides('comment', '', 'y'))).toBe(true)
    expect(await refused(contract.PriceTooHigh, hides('points', '11', 'x'))).toBe(true)
    expect(await refused(contract.LockNotAllowed, hides('balance', '100', 'x'))).toBe(true)
    await change({ hiddenPartsPerTopic: 10, maxHiddenPoints: 10_000, allowCash: true })
    expect(await refused(contract.PriceTooHigh, hides('balance', '101', 'x'))).toBe(true)
    await change({ maxHiddenCents: 100_000 })
  })

  test('for a sensitive word or link inside a hidden part', async () => {
    const chief = await aStaffer(forum)
    const { listId } = await chief.call(addSensitiveList, { name: 'Unwelcome', action: 'refuse' })
    await chief.call(addSensitiveWords, { listId, words: 'gribble' })
    const wish = (part: Block) => ({ tagId, title: 'A topic', body: withParts(part) })
    expect(await mei.isRefused(topic.publishTopic, wish(hides('comment', '', 'A gribble')), WordsInText)).toBe(true)
    await change({ newMemberDays: 30, newMemberPosts: 100, newMemberLinks: 0 })
    const link: Block = paragraph({ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'https://spam.example' } }] })
    expect(await mei.isRefused(topic.publishTopic, wish(hides('comment', '', link)), TooManyLinksYet)).toBe(true)
    await change({ newMemberDays: 0, newMemberPosts: 0 })
  })

  test('in a comment, a reply or a question with hidden parts', async () => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(mei, topicId)
    const body = withParts(hides('comment', '', 'x'))
    const answers = [
      await mei.tryCall(addComment, { topicId, body }),
      await mei.tryCall(addReply, { commentId, body }),
      await mei.tryCall(askQuestion, { tagId, title: 'Which tea?', body }),
    ]
    expect(answers.map(({ status, error }) => [status, Object.keys(error ?? {})])).toEqual(answers.map(() => [422, ['body']]))
  })
})

test.each(['password', 'comment', 'level', 'points', 'balance'] satisfies Lock[])('the author sees the text behind %s', async (lock) => {
  await change({ allowCash: true })
  await sql`insert into role_right (role_id, right_name) select role_id, 'hidden.level' from role_right where right_name = 'topic.publish' on conflict do nothing`.execute(
    forum.database.app,
  )
  forum.database.invalidations.announce(new Set(['role', 'everything']))
  const value = { password: 'sesame', comment: '', level: '0', points: '5', balance: '500' }[lock]
  const topicId = await publish(mei, withParts(hides(lock, value, 'the treasure')))
  expect(await seenBy(mei, topicId)).toContain('author: <p>the treasure</p>')
})
