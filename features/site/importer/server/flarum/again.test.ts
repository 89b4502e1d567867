import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { checkImport } from '#importer/server/check.ts'
import { importerOf } from '#importer/server/programs.ts'
import { runImport } from '#importer/server/run.ts'
import { undoImport } from '#importer/server/undo.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, messagesIn, newIdOf } from '#importer/testing/moved-in.ts'
import { oldFlarum2 } from '#importer/testing/old-flarum.ts'
import { writeSqlite } from '#importer/testing/old-tables.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const { path: folder } = dumpFolder()
const insertPost = `insert into posts (id, discussion_id, number, created_at, user_id, type, content, is_private, is_approved)`

async function moveIn(forum: Forum, from: string): Promise<void> {
  const { open, targetOf } = importerOf('flarum')
  const reader = await open({ from, files: null, password: '', prefix: undefined, charset: undefined, origin: undefined })
  const { mapping } = await checkImport(forum.database, reader)
  await runImport({ ...forum, reader, targetOf, mapping, report: () => undefined })
  await reader.close()
}

function addRows(from: string): void {
  const database = new DatabaseSync(from)
  database.exec(`
    ${insertPost} values (50, 1, 11, '2024-06-01 10:00:00', 3, 'comment', '<t><p>later</p></t>', 0, 1);
    ${insertPost} values (51, 5, 5, '2024-06-01 10:00:00', 3, 'comment', '<t><p>later in private</p></t>', 0, 1);
    ${insertPost} values (52, 20, 1, '2024-06-01 10:00:00', 3, 'comment', '<t><p>body of the new one</p></t>', 0, 1);
    insert into discussions (id, title, first_post_id, slug, is_private, is_approved) values (20, 'A new one', 52, 'x', 0, 1);
    insert into discussion_tag (discussion_id, tag_id) values (20, 6);
    insert into dialog_messages (id, dialog_id, user_id, content, created_at) values (3, 1, 2, '<t>later in a dialog</t>', '2024-06-01 10:00:00');
    insert into post_likes (post_id, user_id, created_at) values (8, 2, '2024-06-01 10:00:00');`)
  database.close()
}

test('a second run brings what came since, also to what was there, and nothing twice', async () => {
  const from = writeSqlite(join(folder, 'again.sqlite'), oldFlarum2)
  const forum = await aForum()
  await aStaffer(forum)
  await moveIn(forum, from)
  const [before, topics] = [await commentsIn(forum), await forum.database.app.selectFrom('topic').select('title').execute()]
  await moveIn(forum, from)
  expect(await commentsIn(forum)).toEqual(before)
  addRows(from)
  await moveIn(forum, from)
  const later = (await commentsIn(forum)).filter(({ text }) => text !== '' && before.every((one) => one.text !== text))
  expect(later.map(({ floor, text }) => [floor, text])).toEqual([[10, 'later']])
  expect((await messagesIn(forum)).map(({ text }) => text)).toEqual([
    'Private talk\nprivate opening\nand a part',
    'private answer',
    'a message of Flarum 2',
    'yes 😀',
    'later in private',
    'later in a dialog',
  ])
  expect(await forum.database.app.selectFrom('topic').select('title').execute()).toHaveLength(topics.length + 1)
  // The secondary tag was the place of none before.
  const topic = await forum.database.app.selectFrom('topic').select('tag_id').where('title', '=', 'A new one').executeTakeFirstOrThrow()
  expect(topic.tag_id).toBe(await newIdOf(forum, 'tag', '6'))
  expect(await forum.database.app.selectFrom('post_like').select('post_id').execute()).toHaveLength(3)
  expect([await counterMismatches(forum.database.app), await newestMismatches(forum.database.app)]).toEqual([[], []])
})

test('an undo takes all of it away', async () => {
  const from = writeSqlite(join(folder, 'undo.sqlite'), oldFlarum2)
  const forum = await aForum()
  await aStaffer(forum)
  await moveIn(forum, from)
  await undoImport(forum, 'flarum')
  expect(await commentsIn(forum)).toEqual([])
  expect(await messagesIn(forum)).toEqual([])
  expect(await forum.database.app.selectFrom('topic').select('id').execute()).toEqual([])
})
