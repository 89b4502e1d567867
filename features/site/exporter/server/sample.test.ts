import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { sampleDatabase } from '#base/testing/sample.ts'
import {
  aNewForum,
  anExport,
  asOwner,
  bring,
  comparable,
  differences,
  hereOf,
  linesIn,
  newcomersOf,
  type Lines,
} from '#base/testing/exports.ts'
import * as contact from '#contact/server/contact.ts'
import { secretNames } from '#importer/server/importer.ts'
import * as wallet from '#wallet/server/wallet.ts'

const sample = await sampleDatabase()
afterAll(() => sample.close())

let first: string
let before: Lines
beforeAll(async () => {
  await enrich()
  first = await anExport(sample, secretNames)
  before = await linesIn(first)
})

/** Rows that the sample community lacks, written past the program. */
function enrich(): Promise<void> {
  return asOwner(sample, async (tx) => {
    for (const statement of [
      sql`insert into role (name_zh, name_en, sort) values ('茶友', 'Friend', 30)`,
      sql`insert into role_right (role_id, right_name) select max(id), 'topic.unreviewed' from role`,
      sql`insert into role_holding (member_id, role_id, during)
        select 5, max(id), tstzrange(now() - interval '1 day', '2099-01-01 00:00+00') from role`,
      sql`update tag set is_restricted = true where id = 25`,
      sql`insert into role_right (role_id, right_name, tag_id) select max(id), unnest(array['tag.view', 'topic.publish', 'comment.post']), 25 from role`,
      sql`insert into member_ban (member_id, function, reason, given_by, ends_at)
        select 6, function, 'Loud', (select min(id) from staff), '2099-01-01 00:00+00' from unnest(array['comment', 'like']) as function`,
      sql`update member set deactivated_at = now(), deactivated_as = 'left', deactivated_because = 'Goodbye' where id = 7`,
      sql`update comment set status = 'deleted', deleted_by = 'author', deleted_from = 'published', deleted_at = now(), deleted_reason = 'Mine'
        where id in (select id from comment where reply_count = 0 and status = 'published' order by id limit 1)`,
      sql`update reply set ai_label = 'author' where id = 2`,
      sql`update topic set sunk_at = now(), ai_label = 'staff', takes_comments = false, pin = 3 where id = 9`,
      sql`update topic set withdrawn_at = now() where id = (select max(id) from topic where kind = 'question')`,
      sql`insert into postscript (topic_id, number, body, segments, removed_at, removed_reason)
        select id, number, '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"More"}]}]}', '[{"html":"<p>More</p>"}]',
          case number when 2 then now() end, case number when 2 then 'Rude' end
        from topic, generate_series(1, 3) as number where id = (select min(id) from topic where kind = 'question')`,
      sql`insert into topic_tag (topic_id, tag_id, place_id, last_reply_at, published_at, heat, is_listed)
        select id, tag.tag, tag_id, last_reply_at, published_at, heat, true from topic, unnest(array[3, 24]) as tag (tag) where id = 10`,
      sql`with made as (insert into favourite_folder (member_id, name, is_public) select member_id, 'Later', true from favourite limit 1 returning *)
        update favourite set folder_id = made.id, note = 'Read again' from made where favourite.member_id = made.member_id`,
      sql`insert into member_block (member_id, other_id, how) values (8, 9, 'blocked'), (9, 8, 'muted')`,
      sql`update follow set level = 'normal' where of = 'topic' and member_id = (select min(member_id) from follow where of = 'topic')`,
      sql`update message set gone_low = true where id = (select min(id) from message)`,
      sql`insert into hidden.unlock (part_id, member_id, lock) select id, 4, 'password' from hidden.part where lock = 'password'`,
      sql`update poll set ended_at = now(), end_reason = 'author', notified_at = now()
        where topic_id = (select min(topic_id) from poll where ended_at is null)`,
    ])
      await statement.execute(tx)
    await contact.bind(tx, '5', { kind: 'phone', address: '+8613800138000' })
    await contact.bind(tx, '5', { kind: 'email', address: 'tea@example.org' })
  })
}

test('a community that moved into a new forum is exported as before, with the same ids', async () => {
  const forum = await aNewForum({ officialId: Number(before.members.find(({ isOfficial }) => isOfficial)?.['id']) })
  await bring(first, forum)
  const second = await anExport(forum, secretNames)
  expect(differences(comparable(await newcomersOf(forum, second)), comparable(before))).toEqual([])
  expect(before.threads.length).toBeGreaterThan(50)
  expect(before.messages.length).toBeGreaterThan(5)
  for (const { path } of before.files)
    expect((await readFile(join(second, String(path)))).equals(await readFile(join(first, String(path))))).toBe(true)
  expect(await counterMismatches(forum.database.app)).toEqual([])
  expect(await newestMismatches(forum.database.app)).toEqual([])
  expect(await wallet.breachesIn(forum.database, bookChecks, null)).toEqual([])
  await forum.close()
})

test('a community that moved into a forum with members is exported as before, with other ids', async () => {
  const forum = await aNewForum()
  await sql`insert into member (account, account_key) values ('host', 'host')`.execute(forum.database.app)
  await bring(first, forum)
  const here = await hereOf(forum, before)
  const after = await newcomersOf(forum, await anExport(forum, secretNames))
  expect(differences(comparable(after), comparable(here))).toEqual([])
  await forum.close()
})

test('what is written after a move into a new forum gets ids that the old forum has never given', async () => {
  const forum = await aNewForum()
  await bring(first, forum)
  const { rows } = await asOwner(forum, (tx) =>
    sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence(name, 'id'))::int as id from unnest(array['topic', 'comment', 'member']) as name`.execute(tx),
  )
  const highest = (kind: 'threads' | 'comments' | 'members') =>
    Math.max(...before[kind].map(({ id }) => Number(String(id).replace(/^c|^r\d+/, '') || 0)))
  const [topic, comment, member] = rows.map(({ id }) => id)
  expect(topic).toBeGreaterThan(highest('threads'))
  expect(comment).toBeGreaterThan(highest('comments'))
  expect(member).toBeGreaterThan(highest('members'))
  await forum.close()
})

test('a link to the old address leads to the new forum, and to the new id where ids are not the same', async () => {
  const address = 'https://tea.example.org'
  const link = `${address}/thread?topicId=11&page=2`
  const linked = { type: 'text', text: 'there', marks: [{ type: 'link', attrs: { href: link } }] }
  const body = JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [linked] }] })
  await asOwner(sample, (tx) => sql`update comment set body = ${body}::jsonb where id = 12`.execute(tx))
  const from = await anExport(sample, [], address)
  const bodyIn = async (forum: Awaited<ReturnType<typeof aNewForum>>) => {
    await bring(from, forum)
    const { rows } = await asOwner(forum, (tx) =>
      sql<{ body: unknown; target: string }>`
        select body, (select new_id from import_row where kind = 'thread' and old_id = '11') as target from comment
        where id::text = (select new_id from import_row where kind = 'comment' and old_id = 'c12')`.execute(tx),
    )
    await forum.close()
    return { text: JSON.stringify(rows[0]?.body), target: rows[0]?.target }
  }
  expect((await bodyIn(await aNewForum())).text).toContain('"href":"/thread?topicId=11&page=2"')
  const used = await aNewForum()
  await asOwner(used, (tx) => sql`insert into member (account, account_key) values ('host', 'host')`.execute(tx))
  await asOwner(used, (tx) => sql`select setval(pg_get_serial_sequence('topic', 'id'), 500)`.execute(tx))
  const { text, target } = await bodyIn(used)
  expect(Number(target)).toBeGreaterThan(500)
  expect(text).toContain(`"href":"/thread?topicId=${target}"`)
})
