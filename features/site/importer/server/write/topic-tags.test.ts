import { expect, test } from 'vitest'
import { counterMismatches } from '#base/testing/counters.ts'
import { aForum } from '#base/testing/forum.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { runImport } from '#importer/server/run.ts'
import type { SourceTag } from '#importer/server/source.ts'
import { aReader, aSourceThread, bodyOf, twoTags } from '#importer/testing/small-community.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { listTags } from '#tag/contract.ts'

test('topic tags stand below one tag of their own; a thread carries as many as it may, and says the others', async () => {
  const forum = await aForum()
  await aStaffer(forum)
  const { app } = forum.database
  const { maxQuestionTags } = await setting.all(app)
  const names = Array.from({ length: maxQuestionTags }, (_, index) => `word ${index}`)
  const topicTag = (name: string, index: number): SourceTag => ({
    id: `tag/${name}`,
    parentId: null,
    isTopicTag: true,
    name,
    description: '',
    order: 10 + index,
    readers: 'everybody',
    writers: 'members',
  })
  const community = {
    tags: [...(twoTags ?? []), ...names.map(topicTag)],
    threads: [aSourceThread('1', { tags: [...names, 'rare'] }, { body: bodyOf('text') }), aSourceThread('2')],
  }
  const reader = aReader(community, { perPage: 50 })
  const mapping = mappingSchema.parse({ points: null, money: null, groups: {}, members: {}, language: 'en' })
  await runImport({ ...forum, reader, targetOf: () => null, mapping, report: () => undefined })
  const carried = await app
    .selectFrom('topic_tag')
    .innerJoin('tag', 'tag.id', 'topic_tag.tag_id')
    .innerJoin('tag as above', 'above.id', 'tag.parent_id')
    .select(['tag.name_en', 'above.name_en as above'])
    .orderBy('tag.sort')
    .execute()
  expect(carried).toEqual(names.slice(0, -1).map((name_en) => ({ name_en, above: 'Tags' })))
  const topic = await app.selectFrom('topic').select('summary').where('title', '=', 'Thread 1').executeTakeFirstOrThrow()
  expect(topic.summary).toBe(`text #${names.at(-1)} #rare`)
  expect(await counterMismatches(app)).toEqual([])
  const { tags } = await forum.visitor().call(listTags, {})
  expect(tags.map(({ name }) => name.en)).toEqual(['茶', 'Tags'])
})
