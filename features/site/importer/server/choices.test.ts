import { expect, test } from 'vitest'
import { insertRows } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { mappingFaults } from '#importer/server/mapping-faults.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { runImport } from '#importer/server/run.ts'
import { importSummary } from '#importer/server/summary.ts'
import { aReader, aSourceMember, aSourceThread, twoTags, type Community } from '#importer/testing/small-community.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await aStaffer(forum)
const { app } = forum.database
const usual = mappingSchema.parse({ points: null, money: null, groups: {}, members: {}, language: 'en' })
const run = (reader: ReturnType<typeof aReader>) =>
  runImport({ ...forum, reader, targetOf: () => null, mapping: usual, report: () => undefined })

const people = ['Ann', 'Lin', 'Mei', 'Tom'].map((name, index) => aSourceMember(String(index + 1), name))
const community: Community = {
  groups: [{ id: 'g', name: 'Keeper', isBuiltIn: false, isStaff: false }],
  tags: twoTags ?? [],
  members: people.map((member) => ({ ...member, groups: [{ id: 'g', until: null }] })),
  threads: [aSourceThread('1', { title: '茶'.repeat(100) })],
  votes: [],
  follows: [{ of: 'member', id: '1', memberId: '2', level: 'watching', at: null }],
}

test('choices that name what is not there are refused, each with its place', async () => {
  const member = await forum.member()
  const reader = aReader({}, { credits: [{ id: 'p', name: 'Points' }] })
  const members = {
    1: { do: 'join' as const, memberId: member.id },
    2: { do: 'join' as const, memberId: '99999' },
    3: { do: 'rename' as const, name: 'a\u200bb' },
    4: { do: 'rename' as const, name: '  ' },
  }
  expect(await mappingFaults(app, reader, { ...usual, points: 'p', members: { 1: members[1] } })).toEqual([])
  const money = { credit: 'cny', centsPerUnit: 1 }
  expect(await mappingFaults(app, { ...reader, money }, { ...usual, points: 'p', money })).toEqual([])
  expect(await mappingFaults(app, reader, { ...usual, points: 'q', money: { credit: 'r', centsPerUnit: 1 }, members })).toEqual([
    'points: there is no credit q',
    'money: there is no credit r',
    'members: 2: there is no member 99999 here',
    'members: 3: no member can have the name a\u200bb',
    'members: 4: no member can have the name   ',
  ])
  expect(mappingSchema.safeParse({ ...usual, members: { 5: { do: 'join', memberId: 'abc' } } }).success).toBe(false)
})

test('a group becomes a role of its own where the role of its name has rights', async () => {
  const names = { name_zh: 'Keeper', name_en: 'Keeper', sort: 1 }
  const { id } = await app.insertInto('role').values(names).returning('id').executeTakeFirstOrThrow()
  await insertRows(app, 'role_right', [{ role_id: id, right_name: 'content.remove.any', tag_id: null }]).execute()
  await run(aReader(community))
  const held = await app.selectFrom('role_holding').select('role_id').where('role_id', '=', id).execute()
  expect(held).toEqual([])
  expect(await app.selectFrom('role').select('id').where('name_zh', '=', 'Keeper').execute()).toHaveLength(2)
})

test('a title that is too long stands whole above the text, and is counted', async () => {
  const topic = await app.selectFrom('topic').select(['title', 'summary']).executeTakeFirstOrThrow()
  expect(topic).toEqual({ title: '茶'.repeat(90), summary: `${'茶'.repeat(100)} text of opening-1` })
  const notes = await app.selectFrom('import_note').select(['note', 'count']).where('note', 'like', 'title that%').execute()
  expect(notes).toEqual([{ note: 'title that was cut, and stands whole above the text', count: '1' }])
})

test('a second run counts each row once, and each summary is of its own import', async () => {
  const first = await run(aReader(community, { marks: () => Promise.resolve({ members: '4', threads: '1' }) }))
  await run(aReader({ members: [aSourceMember('1', 'Zed')] }, { program: 'nodebb', title: 'Another' }))
  expect(await importSummary(app, first)).toContain('Old teahouse is here:')
  expect(await app.selectFrom('role').select('id').where('name_zh', '=', 'Keeper').execute()).toHaveLength(2)
  const stage = await app.selectFrom('import_stage').select('done').where('kind', '=', 'follows').where('import_id', '=', first).execute()
  expect(stage).toEqual([{ done: '1' }])
})

test('another community of the same program is refused, and one with a few new names is not', async () => {
  const others = ['Zoe', 'Max', 'Eva', 'Tom'].map((name, index) => aSourceMember(String(index + 1), name))
  await expect(run(aReader({ members: others }))).rejects.toThrow('This is another community than Old teahouse')
  const renamed = people.map((member, index) => (index === 0 ? { ...member, name: 'Anna' } : member))
  await expect(run(aReader({ ...community, members: renamed }))).resolves.toEqual(expect.any(String))
})
