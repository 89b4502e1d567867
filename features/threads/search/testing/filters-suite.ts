import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import * as contract from '#search/contract.ts'
import { bracketed, find, names, settled, type EngineContext } from '#search/testing/engine-suite.ts'
import { addPostscript, adoptAnswer, askQuestion, editQuestion } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'

/** Filters. */
export function filters(ground: EngineContext): void {
  test('by tag with those below it, by author, by kind, by pictures', async () => {
    const lin = await ground.forum.member('lin_filters')
    const inGreen = await ground.topic('Kettle one', 'Words.', ground.green, lin)
    const aside = await ground.topic('Kettle two', 'Words.', ground.elsewhere)
    const remark = await ground.comment(aside, 'A kettle remark.', lin)
    const body = JSON.stringify(documentWith(paragraph({ type: 'text', text: 'Seen' }), picture('f_0123456789012345678901')))
    await ground.forum.database.app.updateTable('topic').set({ body }).where('id', '=', inGreen).execute()
    await settled(ground)
    expect(await names(ground, 'kettle', { tagId: ground.tea })).toEqual([`topic ${inGreen}`])
    expect(await names(ground, 'kettle', { tagId: ground.green })).toEqual([`topic ${inGreen}`])
    expect(new Set(await names(ground, 'kettle', { author: 'Lin_Filters' }))).toEqual(new Set([`topic ${inGreen}`, `comment ${remark}`]))
    expect(await find(ground, 'kettle', { author: 'nobody at all' })).toMatchObject({ hits: [], isAuthorUnknown: true })
    expect((await find(ground, 'kettle', { author: 'lin_filters', kind: 'topic' })).isAuthorUnknown).toBe(false)
    expect(await names(ground, 'kettle', { kind: 'comment' })).toEqual([`comment ${remark}`])
    expect(new Set(await names(ground, 'kettle', { kind: 'topic' }))).toEqual(new Set([`topic ${inGreen}`, `topic ${aside}`]))
    expect(await names(ground, 'kettle', { pictures: true })).toEqual([`topic ${inGreen}`])
  })
}

/** The same for questions. */
export function questionFilters(ground: EngineContext): void {
  test('by whether it asks, and by how a question stands', async () => {
    const [ann, tom] = [await ground.forum.member(), await ground.forum.member()]
    const topicId = await ground.topic('Gaiwan lids', 'Words.')
    const [open, solved, bare] = [
      await aQuestion(ann, ground.green, { title: 'Which gaiwan?' }),
      await aQuestion(ann, ground.green, { title: 'Why a gaiwan?' }),
      await aQuestion(ann, ground.green, { title: 'Where is my gaiwan?' }),
    ]
    const answers = [await anAnswer(tom, open, 'A gaiwan of clay.'), await anAnswer(tom, solved, 'A gaiwan cools.')]
    await ann.call(adoptAnswer, { questionId: solved, commentId: answers[1] ?? '' }, newIdempotencyKey())
    const found = async (kind: 'topic' | 'question' | 'resolved' | 'unresolved' | 'bounty' | 'comment') =>
      new Set((await find(ground, 'gaiwan', { kind })).hits.map(({ id, questionState, kind: its }) => `${its} ${id} ${questionState}`))
    await settled(ground)
    expect(await found('topic')).toEqual(new Set([`topic ${topicId} null`]))
    const unresolved = [`topic ${open} unresolved`, `topic ${bare} unanswered`]
    expect(await found('question')).toEqual(new Set([...unresolved, `topic ${solved} resolved`]))
    expect(await found('unresolved')).toEqual(new Set(unresolved))
    expect(await found('resolved')).toEqual(new Set([`topic ${solved} resolved`]))
    expect(await found('comment')).toEqual(new Set(answers.map((id) => `comment ${id} null`)))
    expect(await found('bounty')).toEqual(new Set())
    await ann.call(adoptAnswer, { questionId: solved }, newIdempotencyKey())
    await endow(ground.forum.database, ann.id, 50)
    const draft = { tagId: ground.green, title: 'Whose gaiwan?', body: says('Who knows?'), bountyPoints: '20' }
    const { questionId: offered } = await ann.call(askQuestion, draft, { 'idempotency-key': 'a-key-for-a-gaiwan' })
    await settled(ground)
    expect(await found('bounty')).toEqual(new Set([`topic ${offered} unanswered`]))
    await ann.call(adoptAnswer, { questionId: offered, commentId: await anAnswer(tom, offered, 'It is mine.') }, newIdempotencyKey())
    await settled(ground)
    expect(await found('bounty')).toEqual(new Set())
    expect(await found('resolved')).toEqual(new Set([`topic ${offered} resolved`]))
  })

  test('by each of its tags, and by what was added to it', async () => {
    const ann = await ground.forum.member()
    const questionId = await aQuestion(ann, ground.elsewhere, { title: 'Of yixing', tagIds: [ground.green] })
    await ann.call(addPostscript, { questionId, body: says('It was zhuni clay.') })
    await settled(ground)
    const one = [`topic ${questionId}`]
    expect(await names(ground, 'yixing', { tagId: ground.green })).toEqual(one)
    expect(await names(ground, 'yixing', { tagId: ground.elsewhere })).toEqual(one)
    expect(await find(ground, 'zhuni')).toMatchObject({
      hits: [{ id: questionId, excerpt: expect.arrayContaining([{ text: 'zhuni', isHit: true }]) }],
    })
    await ann.call(editQuestion, { questionId, tagIds: [], title: 'Of yixing', body: says('Which?') })
    await settled(ground)
    expect(await names(ground, 'yixing', { tagId: ground.green })).toEqual([])
  })
}

/** Orders and pages. */
export function orders(ground: EngineContext): void {
  test('by time, and in the order of time or of talk', async () => {
    const ids = []
    for (const [index, days] of [2, 20, 200, 2_000].entries()) {
      const id = await ground.topic(`Lantern ${'abcd'[index]}`, 'Lit.')
      const at = new Date(Date.now() - days * 86_400_000)
      await ground.forum.database.app.updateTable('topic').set({ published_at: at, last_reply_at: at }).where('id', '=', id).execute()
      ids.push(`topic ${id}`)
    }
    await ground.comment(ids[2]?.slice(6) ?? '', 'Bright.')
    await settled(ground)
    const found = (wish: Parameters<typeof names>[2]) => names(ground, 'lantern', wish)
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    expect(await found({ sort: 'newest' })).toEqual(ids)
    expect((await found({ sort: 'replies' }))[0]).toBe(ids[2])
    expect(await found({ sort: 'newest', within: 'month' })).toEqual(ids.slice(0, 2))
    expect(await found({ sort: 'newest', within: 'day' })).toEqual([])
    expect(await found({ sort: 'newest', from: dayAgo(300), until: dayAgo(20) })).toEqual(ids.slice(1, 3))
    expect(await found({ until: dayAgo(300) })).toEqual(ids.slice(3))
  })

  test('page by page, each found once', async () => {
    const ids = []
    for (let number = 0; number < 17; number++) ids.push(`topic ${await ground.topic(`Beacon ${number}`, 'On the hill.')}`)
    await settled(ground)
    const first = await find(ground, 'beacon')
    expect([first.hits.length, first.total, first.pages, first.isMore]).toEqual([15, 17, 2, false])
    const seen = [...(await names(ground, 'beacon')), ...(await names(ground, 'beacon', { page: 2 }))]
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect((await ground.forum.visitor().tryCall(contract.search, { keyword: 'beacon', page: 3 })).status).toBe(404)
  })
}

export function suggests(ground: EngineContext): void {
  test('titles are suggested from their first letters on, by words, pinyin or initials, and tags by their names', async () => {
    const english = await ground.topic('Grandfather clocks, repaired', 'Tick.')
    const chinese = await ground.topic('老式座钟修理记', '滴答。')
    await settled(ground)
    const suggested = async (keyword: string) => (await ground.forum.visitor().call(contract.suggest, { keyword })).topics
    for (const keyword of ['grandf', 'grandfather cl', 'repaire', 'GRANDFATHER'])
      expect(
        (await suggested(keyword)).map(({ id }) => id),
        keyword,
      ).toEqual([english])
    for (const keyword of ['老式', '座', '座钟修', 'laoshi', 'lszz', 'zzxl', '老式座鐘'])
      expect(
        (await suggested(keyword)).map(({ id }) => id),
        keyword,
      ).toEqual([chinese])
    expect((await suggested('座钟')).map(({ title }) => bracketed(title))).toEqual(['老式[座钟]修理记'])
    expect((await suggested('zuozh')).map(({ title }) => bracketed(title))).toEqual(['老式[座钟]修理记'])
    expect(await suggested('tick')).toEqual([])
    const { tags } = await ground.forum.visitor().call(contract.suggest, { keyword: 'lvc' })
    expect(tags.map(({ id }) => id)).toEqual([ground.green])
  })

  test('before anything is typed, the words that staff have set', async () => {
    const words = async () => (await ground.forum.visitor().call(contract.suggest, {})).hotWords
    expect(await words()).toEqual([])
    await transact(ground.forum.database, (tx) => setting.change(tx, 'hotSearchWords', ['春茶', 'kettle'], 'test'))
    expect(await words()).toEqual(['春茶', 'kettle'])
  })
}
