import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { runImport } from '#importer/server/run.ts'
import { aReader, aSourceComment, aSourceMember, aSourceThread, twoTags } from '#importer/testing/small-community.ts'
import { aStaffer } from '#staff/testing/factories.ts'

test('posts of members who are left out stand under closed accounts of their names', async () => {
  const forum = await aForum()
  await aStaffer(forum)
  const { app } = forum.database
  const reader = aReader({
    tags: twoTags ?? [],
    members: [aSourceMember('1', 'Ann'), aSourceMember('2', 'Lin'), aSourceMember('3', 'Mei')],
    threads: [aSourceThread('1', {}, { author: { memberId: '2' } })],
    comments: [aSourceComment('11', '1', 1, { author: { memberId: '2' } }), aSourceComment('12', '1', 2, { author: { memberId: '4' } })],
    likes: [{ postId: '11', memberId: '2', at: null }],
  })
  const mapping = mappingSchema.parse({ points: null, money: null, groups: {}, members: { 2: { do: 'leave out' } }, language: 'en' })
  await runImport({ ...forum, reader, targetOf: () => null, mapping, report: () => undefined })
  const authors = await app
    .selectFrom('comment')
    .innerJoin('member', 'member.id', 'author_id')
    .select(['account', 'deactivated_as', 'password_hash'])
    .orderBy('floor')
    .execute()
  expect(authors).toEqual([
    { account: 'Lin', deactivated_as: 'cancelled', password_hash: null },
    { account: 'Guest', deactivated_as: 'cancelled', password_hash: null },
  ])
  expect(await app.selectFrom('post_like').selectAll().execute()).toEqual([])
})
