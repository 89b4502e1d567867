import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { withOwner } from '#importer/server/owner.ts'
import { runImport } from '#importer/server/run.ts'
import {
  aReader,
  aSourceComment,
  aSourceMember,
  aSourceThread,
  bodyOf,
  minute,
  twoTags,
  type Community,
} from '#importer/testing/small-community.ts'
import type { Reader } from '#importer/server/source.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const mapping = mappingSchema.parse({ points: null, money: null, groups: {}, members: {}, language: 'en' })
const hidden = (lock: 'password' | 'points' | 'balance', value: string): Block => {
  return {
    type: 'hidden',
    attrs: { lock, value },
    content: [{ type: 'paragraph', content: [{ type: 'text', text: `secret of ${lock}` }] }],
  }
}
const members = ['1', '2', '3'].map((id) => aSourceMember(id, `m${id}`))

async function movedFrom(community: Community, its: Partial<Reader> = {}): Promise<Forum> {
  const forum = await aForum()
  await aStaffer(forum)
  await runImport({
    ...forum,
    reader: aReader({ tags: twoTags, members, ...community }, its),
    targetOf: () => null,
    mapping,
    report: () => undefined,
  })
  return forum
}

async function rowsOf(forum: Forum, query: ReturnType<typeof sql>): Promise<unknown[]> {
  return withOwner(forum, async ({ app }) => (await query.execute(app)).rows)
}

const notesIn = (forum: Forum) => rowsOf(forum, sql`select note, samples from import_note order by note`)

test('an opening of one lock opens the parts of that lock alone, one of none all that are paid or have a password', async () => {
  const forum = await movedFrom({
    threads: [aSourceThread('1', {}, { body: bodyOf('open', hidden('password', 'a'), hidden('points', '5'), hidden('balance', '100')) })],
    unlocks: [
      { threadId: '1', memberId: '2', lock: 'points' },
      { threadId: '1', memberId: '2', lock: 'points' },
      { threadId: '1', memberId: '3' },
    ],
  })
  const opened = await rowsOf(
    forum,
    sql`select account, part.lock from hidden.opened_before join hidden.part on part.id = part_id join member on member.id = member_id order by account, part.position`,
  )
  expect(opened).toEqual([
    { account: 'm2', lock: 'points' },
    { account: 'm3', lock: 'password' },
    { account: 'm3', lock: 'points' },
    { account: 'm3', lock: 'balance' },
  ])
})

test('a nickname that is an account, or another’s, gets a number; that of oneself is none', async () => {
  const nicknames = ['m2', 'Tea', 'tea', 'm4']
  const forum = await movedFrom({
    members: nicknames.map((nickname, index) => aSourceMember(String(index + 1), `m${index + 1}`, { nickname })),
  })
  const rows = await rowsOf(forum, sql`select account, nickname from member where account like 'm_' order by account`)
  expect(rows).toEqual([
    { account: 'm1', nickname: 'm2-2' },
    { account: 'm2', nickname: 'Tea' },
    { account: 'm3', nickname: 'tea-2' },
    { account: 'm4', nickname: null },
  ])
})

test('a phone number is bound as ours are; one that is none is counted, and not repeated', async () => {
  const phones = ['13800138000', '+8613800138001', 'no number']
  const forum = await movedFrom({ members: phones.map((phone, index) => aSourceMember(String(index + 1), `m${index + 1}`, { phone })) })
  expect(await rowsOf(forum, sql`select account, kind::text from contact join member on member.id = member_id order by account`)).toEqual([
    { account: 'm1', kind: 'phone' },
    { account: 'm2', kind: 'phone' },
  ])
  expect(await notesIn(forum)).toContainEqual({ note: 'phone number that is none', samples: ['m3'] })
  expect(JSON.stringify(await notesIn(forum))).not.toContain('no number')
})

test('a reply names the reply that it answers, also across pages; one below another comment it does not', async () => {
  const comments = [
    aSourceComment('a', '1', 1),
    aSourceComment('b', '1', 2),
    aSourceComment('ra', '1', 3, { belowId: 'a' }),
    aSourceComment('rb', '1', 4, { belowId: 'b', answersId: 'ra' }),
    aSourceComment('rc', '1', 5, { belowId: 'a', answersId: 'ra' }),
    aSourceComment('rd', '1', 6, { belowId: 'a', answersId: 'rc' }),
    aSourceComment('re', '1', 7, { belowId: 'a', answersId: 'a' }),
  ]
  const forum = await movedFrom({ threads: [aSourceThread('1')], comments })
  const rows = await rowsOf(
    forum,
    sql`select reply.text, answered.text as answers from reply left join reply as answered on answered.id = reply.answers order by reply.id`,
  )
  expect(rows).toEqual([
    { text: 'text of ra', answers: null },
    { text: 'text of rb', answers: null },
    { text: 'text of rc', answers: 'text of ra' },
    { text: 'text of rd', answers: 'text of rc' },
    { text: 'text of re', answers: null },
  ])
})

test('what an asker added stands in its order, without what was hidden in it', async () => {
  const postscripts = [
    { body: bodyOf('first'), at: minute(1) },
    { body: bodyOf('second', hidden('points', '5')), at: minute(2) },
    { body: bodyOf(hidden('points', '5')), at: minute(3) },
  ]
  const forum = await movedFrom({ threads: [aSourceThread('1', { kind: 'question', postscripts })] })
  const rows = await rowsOf(forum, sql`select number, body::text as body, written_at as at from postscript order by number`)
  expect(rows).toMatchObject([
    { number: 1, body: expect.stringContaining('first'), at: minute(1) },
    { number: 2, body: expect.stringContaining('second'), at: minute(2) },
  ])
  expect(JSON.stringify(rows)).not.toContain('secret')
  expect(await notesIn(forum)).toContainEqual({ note: 'hidden part of a postscript', samples: ['Thread 1', 'Thread 1'] })
})

test('a message is not there for whom it was deleted, and counts for the other', async () => {
  const message = (id: string, goneFor: string[]) => {
    return { id, authorId: '1', readerIds: ['2'], title: '', body: bodyOf(id), sentAt: minute(1), isRead: false, goneFor }
  }
  const forum = await movedFrom({ messages: [message('both', []), message('for 1', ['2']), message('for 2', ['1'])] })
  const shown = await rowsOf(
    forum,
    sql`select message.text, array(select account from member where id = low_id and not gone_low or id = high_id and not gone_high order by id) as shown
      from message order by id`,
  )
  expect(shown).toEqual([
    { text: 'both', shown: ['m1', 'm2'] },
    { text: 'for 1', shown: ['m1'] },
    { text: 'for 2', shown: ['m2'] },
  ])
  const sides = await rowsOf(
    forum,
    sql`select account, unread, sent from conversation_participant join member on member.id = member_id order by account`,
  )
  expect(sides).toEqual([
    { account: 'm1', unread: 0, sent: 3 },
    { account: 'm2', unread: 2, sent: 0 },
  ])
})

test.each([
  ['0', 100],
  ['7', 100],
  ['442', 10_000],
])('threads, comments and replies begin well above the highest id there: %s, from %d', async (highest, from) => {
  const forum = await movedFrom(
    { threads: [aSourceThread('1')], comments: [aSourceComment('a', '1', 1), aSourceComment('b', '1', 2, { belowId: 'a' })] },
    { highestIds: { topic: highest, comment: highest, reply: highest } },
  )
  const [ids] = await rowsOf(
    forum,
    sql`select (select max(id) from topic) as topic, (select max(id) from comment) as comment, (select max(id) from reply) as reply`,
  )
  for (const id of Object.values(ids as Record<string, string>)) expect(Math.abs(Number(id) - from)).toBeLessThan(20)
})
