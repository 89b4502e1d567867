import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { askQuestion, listQuestions } from '#question/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as contract from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let tea: string

beforeAll(async () => {
  forum = await aForum()
  mei = await forum.member()
  tea = await aTag(forum.database)
})

describe('the language of a topic is detected from its title and the beginning of its text', () => {
  test.each([
    ['求推荐一款机械键盘', '', 'zh'],
    ['Next.js App Router 里 fetch cache 怎么关', '', 'zh'],
    ['https://github.com/nodejs/node/issues/1234 这个怎么解', '', 'zh'],
    ['TypeError: cannot read properties of undefined', '升级之后就这样了，求助', 'zh'],
    ['How to say 茶 in English', '', 'en'],
    ['What does 功夫茶 mean', 'I read it on a sign and could not find it in my dictionary.', 'en'],
    ['Café culture in Vienna', '', 'en'],
    ['機械キーボードのおすすめ', '', null],
    ['키보드 추천', '', null],
    ['Как хранить чай', '', null],
    ['https://example.com/', '', null],
    ['123 🍵', '', null],
  ])('%s %s', async (title, summary, language) => {
    const { rows } = await sql`select language_of(${title}, ${summary}) as language`.execute(forum.database.reader)
    expect(rows).toEqual([{ language }])
  })
})

test('a list shows one language alone, with its own number, pinned ones too; and follows an edit', async () => {
  const tag = await aTag(forum.database)
  const totals = new Map<string | undefined, number>()
  for (const language of [undefined, 'zh', 'en'] as const) totals.set(language, (await listed({ language }))[1])
  const chinese = await aTopic(mei, tag, { title: '白茶怎么存放', body: says('放在阴凉的地方。') })
  const english = await aTopic(mei, tag, { title: 'How to store white tea', body: says('In a cool place.') })
  const pinned = await aTopic(mei, tag, { title: '茶馆的规矩', body: says('请先读一读。') })
  await forum.database.app.updateTable('topic').set({ pin: 1 }).where('id', '=', pinned).execute()
  /** The topics of this test among all, and how many there are more than before. */
  async function added(language?: 'zh' | 'en'): Promise<[string[], number]> {
    const [ids, total] = await listed({ language })
    return [ids.filter((id) => [chinese, english, pinned].includes(id)), total - (totals.get(language) ?? 0)]
  }
  expect(await added('zh')).toEqual([[pinned, chinese], 2])
  expect(await listed({ language: 'en', tagId: tag })).toEqual([[english], 1])
  expect((await added())[1]).toBe(3)

  await mei.call(contract.editTopic, { topicId: english, title: '白茶放在哪里好', body: says('放在哪里都好。') })
  expect(await listed({ language: 'zh', tagId: tag })).toEqual([[pinned, english, chinese], 3])
  expect(await added('en')).toEqual([[], 0])
})

test('questions are narrowed in the same way, in each state, and under their further tags', async () => {
  const [green, black] = [await aTag(forum.database), await aTag(forum.database)]
  const ask = async (title: string) => (await mei.call(askQuestion, { tagId: green, tagIds: [black], title, body: says(title) })).questionId
  const chinese = await ask('绿茶要用多少度的水')
  const english = await ask('How hot is the water for green tea')
  for (const among of [{}, { tagId: green }, { tagId: black }, { tagId: black, state: 'unanswered' as const }]) {
    const ids = async (language: 'zh' | 'en') =>
      (await forum.visitor().call(listQuestions, { ...among, language })).questions.map(({ id }) => id)
    expect([await ids('zh'), await ids('en')]).toEqual([[chinese], [english]])
  }
})

test('hot topics prefer the reader’s language, but not exclusively', async () => {
  const [chinese, english, glowing] = [
    await aTopic(mei, tea, { title: '热门的话题', body: says('大家都在说。') }),
    await aTopic(mei, tea, { title: 'A hot topic', body: says('Everybody speaks of it.') }),
    await aTopic(mei, tea, { title: 'A glowing topic', body: says('Nobody speaks of anything else.') }),
  ]
  const heats = [
    [chinese, 10],
    [english, 12],
    [glowing, 100],
  ] as const
  for (const [id, heat] of heats) await forum.database.app.updateTable('topic').set({ heat }).where('id', '=', id).execute()
  const hot = async (language?: 'zh' | 'en') =>
    (await forum.visitor().call(contract.hotTopics, language ? { language } : {})).topics.map(({ id }) => id).slice(0, 3)
  expect(await hot('zh')).toEqual([glowing, chinese, english])
  expect(await hot('en')).toEqual([glowing, english, chinese])
  expect(await hot()).toEqual([glowing, english, chinese])
})

async function listed({ language, tagId }: { language?: 'zh' | 'en' | undefined; tagId?: string }): Promise<[string[], number]> {
  const { topics, total } = await forum
    .visitor()
    .call(contract.listTopics, { sort: 'new', ...(language && { language }), ...(tagId && { tagId }) })
  return [topics.map(({ id }) => id), total]
}
