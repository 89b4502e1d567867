import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { NoneMatch } from '#base/list.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { addComment, remarkSource, editRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { addField, removeField } from '#field/contract.ts'
import { sendFile } from '#file/testing/factories.ts'
import * as contract from '#sensitive-word/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import { hits } from '#sensitive-word/server/sensitive-word.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editableTopic, editTopic, publishTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { documentWith, mention, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let chief: Staffer
let mei: Person

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  tagId = await aTag(forum.database)
  chief = await aStaffer(forum)
  await aList(chief, 'refuse', '赌博', 'casino royale')
  await aList(chief, 'replace', '笨蛋', 'damn')
})
beforeEach(async () => {
  mei = await forum.member()
})

describe('a word that is refused', () => {
  test('is named at its field, in any disguise', async () => {
    const { status, error } = await mei.tryCall(publishTopic, { tagId, title: '一起來賭★博', body: says('Casino  Royale, tonight') })
    expect(status).toBe(422)
    expect(error).toEqual({
      title: 'These words aren’t allowed in titles: 赌博.',
      body: 'These words aren’t allowed here: casino royale.',
    })
  })

  test('is refused in comments and at edits too', async () => {
    const topicId = await aTopic(mei, tagId)
    expect(await mei.isRefused(addComment, { topicId, body: says('赌 博') }, contract.WordsInText)).toBe(true)
    const commentId = await aComment(mei, topicId)
    expect(await mei.isRefused(editRemark, { kind: 'comment', id: commentId, body: says('赌\u200b博') }, contract.WordsInText)).toBe(true)
    expect(await mei.isRefused(editTopic, { topicId, title: 'A title', body: says('赌博') }, contract.WordsInText)).toBe(true)
  })
})

describe('a text without review', () => {
  test('is refused at its field, whatever the list does: names and profile texts', async () => {
    for (const word of ['赌 博', 'd\u0430mn']) {
      const nickname = await mei.tryCall(editProfile, { nickname: `A ${word}`, showsActivity: true })
      expect([nickname.status, Object.keys(nickname.error as object)]).toEqual([422, ['nickname']])
      const about = await mei.tryCall(editProfile, { nickname: '', showsActivity: true, about: `I like ${word}` })
      expect([about.status, Object.keys(about.error as object)]).toEqual([422, ['about']])
    }
    const { fieldId } = await chief.call(addField, { zh: '座右铭', en: 'Motto', kind: 'text' })
    const motto = (text: string) => mei.tryCall(editProfile, { nickname: '', showsActivity: true, answers: { [fieldId]: [text] } })
    expect((await motto('Damn it')).error).toEqual({ [`answer_${fieldId}`]: 'These words aren’t allowed here: damn.' })
    expect((await motto('Tea first')).status).toBe(200)
    await chief.call(removeField, { fieldId })
  })
})

test('a word that is replaced becomes stars in text and title, and marks, people and links stay where they are', async () => {
  const bold = [{ type: 'bold' }] as const
  const link = [{ type: 'link', attrs: { href: 'https://damn.example/damn' } }] as const
  const body = documentWith(
    paragraph(
      { type: 'text', text: 'You 笨' },
      { type: 'text', text: '蛋', marks: [...bold] },
      { type: 'text', text: ' and ' },
      mention(mei.id),
      { type: 'text', text: ' da' },
      { type: 'text', text: 'mn it', marks: [...link] },
    ),
    paragraph({ type: 'text', text: 'madam' }),
  )
  const { topicId } = await mei.call(publishTopic, { tagId, title: 'D.A.M.N this', body })
  const seen = await forum.visitor().call(thread, { topicId })
  expect(seen.title).toBe('******* this')
  expect(seen.segments.map(({ html }) => html).join('')).toMatch(
    /<p>You \*<strong>\*<\/strong> and <a class="mention"[^>]*>@\w+<\/a> \*\*<a href="https:\/\/damn\.example\/damn"[^>]*>\*\* it<\/a><\/p><p>madam<\/p>/,
  )
  expect((await mei.call(editableTopic, { topicId })).title).toBe('******* this')
  const commentId = await aComment(mei, topicId, { body: says('damn', 'fine') })
  expect((await mei.call(remarkSource, { kind: 'comment', id: commentId })).body).toEqual(says('****', 'fine'))
})

describe('the lists', () => {
  test('count how often each word was met', async () => {
    const listId = await aList(chief, 'replace', 'drat', 'blast')
    await aTopic(mei, tagId, { body: says('drat and drat'), title: 'One more drat' })
    await hits.write(forum.database)
    const { rows } = await chief.call(contract.sensitiveWords, { listId })
    expect(rows).toMatchObject([
      { word: 'drat', hits: 1 },
      { word: 'blast', hits: 0, lastHitAt: null },
    ])
    expect((await chief.call(contract.sensitiveLists, {})).lists.find(({ id }) => id === listId)).toMatchObject({ wordCount: 2, hits: 1 })
  })

  test('work from the next post on, switched on and off', async () => {
    const listId = await aList(chief, 'refuse', 'gadzooks')
    const says1 = { tagId, title: 'A title of mine', body: says('Gadzooks') }
    expect(await mei.isRefused(publishTopic, says1, contract.WordsInText)).toBe(true)
    const list = (await chief.call(contract.sensitiveLists, {})).lists.find(({ id }) => id === listId)
    const form = { listId, name: 'Old oaths', action: 'refuse' as const, changedAt: list?.changedAt ?? '' }
    await chief.call(contract.editSensitiveList, { ...form, isEnabled: false })
    await mei.call(publishTopic, says1)
    const { status, error } = await chief.tryCall(contract.editSensitiveList, { ...form, isEnabled: true })
    expect([status, error['name']]).toEqual([422, expect.stringContaining(chief.account)])
    await chief.call(contract.removeSensitiveList, { listId })
    expect((await chief.call(auditLog, { about: `sensitiveList ${listId}` })).rows.map(({ action }) => action)).toEqual([
      'sensitiveList.remove',
      'sensitiveList.edit',
      'sensitiveWord.add',
      'sensitiveList.add',
    ])
  })

  test('take a hundred thousand words from a file, and give them back', async () => {
    const listId = await aList(chief, 'refuse', 'zounds')
    const words = Array.from({ length: 99_999 }, (_, number) => `word${number.toString(36)}`)
    const send = (text: string, more = {}) =>
      sendFile(
        chief,
        contract.importSensitiveWords.path,
        { bytes: Buffer.from(text), name: 'words.txt', type: 'text/plain' },
        { listId, ...more },
      )
    const answer = await send(`\ufeff# a remark\r\n${words.join('\r\n')}\r\n***\r\nZOUNDS\r\n`)
    expect(answer.json()).toEqual({ added: 99_999, known: 1, skipped: 1 })
    expect(await mei.isRefused(publishTopic, { tagId, title: 'A title of mine', body: says('the wordabc') }, contract.WordsInText)).toBe(
      true,
    )
    const { text } = await chief.call(contract.exportSensitiveWords, { listId })
    expect(text.split('\n')).toHaveLength(100_001)
    expect((await send('one\ntwo', { replaces: 'true' })).json()).toEqual({ added: 2, known: 0, skipped: 0 })
    expect((await chief.call(contract.exportSensitiveWords, { listId })).text).toBe('one\ntwo\n')
    await chief.call(contract.removeSensitiveList, { listId })
  })

  test('lose single words', async () => {
    const listId = await aList(chief, 'replace', 'egad', 'forsooth')
    const { rows } = await chief.call(contract.sensitiveWords, { listId, word: 'ＥＧ' })
    expect(rows.map(({ word }) => word)).toEqual(['egad'])
    await chief.call(contract.removeSensitiveWords, { ids: rows.map(({ id }) => id) })
    expect((await chief.call(contract.exportSensitiveWords, { listId })).text).toBe('forsooth\n')
  })

  test('lose all words with a prefix, after a proof of the password if there are many', async () => {
    const listId = await aList(chief, 'replace', 'forsooth', ...Array.from({ length: 51 }, (_, index) => `gadzooks${index}`))
    const input = { all: { listId, word: 'gadzooks' } }
    const keeper = await aStaffer(forum, ['word.manage'])
    const long = new Date(Date.now() - 700_000)
    await forum.database.app.updateTable('staff_session').set({ proved_at: long }).where('staff_id', '=', keeper.id).execute()
    expect((await keeper.tryCall(contract.removeSensitiveWords, input)).status).toBe(428)
    await chief.call(contract.removeSensitiveWords, input)
    expect((await chief.call(contract.exportSensitiveWords, { listId })).text).toBe('forsooth\n')
    expect(await chief.isRefused(contract.removeSensitiveWords, input, NoneMatch)).toBe(true)
  })
})

test('a word with far more matches than expected is reported before it is saved, and accepted on confirmation', async () => {
  const listId = await aList(chief, 'review', 'gramercy')
  for (const title of ['64 cups', 'Room 64', 'A 64 bit kettle', 'Sixty-four: 64']) await aTopic(await forum.member(), tagId, { title })
  const refused = await chief.tryCall(contract.addSensitiveWords, { listId, words: 'teapot spout\n6.4\nkettle' })
  expect([refused.status, refused.error]).toEqual([
    422,
    {
      takesBroad:
        'This word matches more than ten times as many recent posts as contain it as typed: 6.4 (64). Tick the box to add it anyway.',
    },
  ])
  expect((await chief.call(contract.exportSensitiveWords, { listId })).text).toBe('gramercy\n')
  expect((await chief.call(contract.addSensitiveWords, { listId, words: '6.4\n.64', takesBroad: true })).added).toBe(2)
  expect((await chief.call(contract.addSensitiveWords, { listId, words: 'Room 64\nC++\n64 c.u.p.s' })).added).toBe(3)
  await chief.call(contract.removeSensitiveList, { listId })
})

test('a test text shows what would happen to it, and counts nothing', async () => {
  const listId = await aList(chief, 'review', 'perhaps')
  expect(await chief.call(contract.testSensitiveWords, { text: 'Damn, p.e.r.h.a.p.s' })).toMatchObject({
    outcome: 'waits',
    text: '****, p.e.r.h.a.p.s',
    hits: [
      { word: 'damn', action: 'replace', isInTitle: false },
      { word: 'perhaps', as: 'p.e.r.h.a.p.s' },
    ],
  })
  expect(await chief.call(contract.testSensitiveWords, { title: '赌博', text: 'fine' })).toMatchObject({ outcome: 'refused' })
  expect(await chief.call(contract.testSensitiveWords, { text: 'fine' })).toEqual({ outcome: 'passes', title: '', text: 'fine', hits: [] })
  await chief.call(contract.removeSensitiveList, { listId })
})
