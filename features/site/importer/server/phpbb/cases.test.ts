import { beforeAll, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { linksOf, toText } from '#base/rich-text/to-text.ts'
import type { Forum } from '#base/testing/forum.ts'
import { openPhpbb } from '#importer/server/phpbb/reader.ts'
import type { Kind, SourceRows } from '#importer/server/source.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, messagesIn, movedIn } from '#importer/testing/moved-in.ts'
import { rowsInDump } from '#importer/testing/old-board.ts'
import { forum as aForum, oldPhpbb, post, topic, user } from '#importer/testing/old-phpbb.ts'
import { tablesSql, type OldRow, type OldTables } from '#importer/testing/old-tables.ts'

const { write, path: folder } = dumpFolder()
const open: Parameters<typeof rowsInDump>[0] = (tables, files) => openPhpbb(tables, files)

const rowsIn = (table: string): readonly OldRow[] => oldPhpbb[table] ?? []
const now = Math.floor(Date.now() / 1000)
const day = 86_400
const nothing: Doc = { type: 'doc', content: [] }
const said = (post_text: string, more: OldRow = {}): OldTables => ({
  phpbb_topics: [topic(1, 2, { topic_title: 'One', topic_first_post_id: 1 })],
  phpbb_posts: [post(1, 1, { post_text, ...more })],
})
const file = (attach_id: number, real_filename: string): OldRow => ({
  attach_id,
  post_msg_id: 1,
  poster_id: 2,
  in_message: 0,
  is_orphan: 0,
  physical_filename: `2_${attach_id}`,
  real_filename,
})
const message = (msg_id: number, author_id: number, more: OldRow = {}): OldRow => ({
  msg_id,
  author_id,
  message_time: now,
  message_subject: '',
  message_text: `<t>message ${msg_id}</t>`,
  bbcode_uid: '',
  ...more,
})
const copies = (msg_id: number, ...ids: readonly number[]): OldRow[] => ids.map((user_id) => ({ msg_id, user_id, pm_unread: 0 }))

type Read = <K extends Kind>(kind: K) => Promise<SourceRows[K][]>
type Case = { fact: string; source: string; tables: OldTables; found: (rows: Read) => Promise<unknown>; expected: unknown }

const opening = async (rows: Read) => (await rows('threads'))[0]?.opening
const bodyOf = async (rows: Read) => (await opening(rows))?.body.document ?? nothing

const bodies: Case[] = [
  {
    fact: 'several smilies on a line leave the words between them',
    source: 'discourse/discourse#3392',
    tables: said(
      [':)', ':D']
        .map((code) => `<!-- s${code} --><img src="{SMILIES_PATH}/a.gif" alt="${code}" title="x" /><!-- s${code} -->`)
        .join(' words between '),
    ),
    found: async (rows) => toText(await bodyOf(rows)),
    expected: '🙂 words between 😃',
  },
  {
    fact: 'a smiley right before a quote is one',
    source: 'phpbb/phpbb#2153',
    tables: said('<r><QUOTE><s>[quote]</s><E>:)</E><e>[/quote]</e></QUOTE><E>:)</E></r>'),
    found: async (rows) => toText(await bodyOf(rows)),
    expected: '🙂\n🙂',
  },
  {
    fact: 'code keeps smilies and tags as they were typed',
    source: 'discourse/discourse#5295',
    tables: said('<r><CODE><s>[code]</s>a[0] :) &lt;b&gt; [b]<e>[/code]</e></CODE></r>'),
    found: bodyOf,
    expected: {
      type: 'doc',
      content: [expect.objectContaining({ type: 'codeBlock', content: [{ type: 'text', text: 'a[0] :) <b> [b]' }] })],
    },
  },
  {
    fact: 'a quote of a post that is gone keeps its author and its words',
    source: 'discourse/discourse#20646',
    tables: said(
      '<r><QUOTE author="Bo Lin" post_id="999" time="1" user_id="77"><s>[quote="Bo Lin" post_id=999 time=1 user_id=77]</s>tea<e>[/quote]</e></QUOTE>\nyes</r>',
    ),
    found: async (rows) => toText(await bodyOf(rows)),
    expected: 'Bo Lin:\ntea\nyes',
  },
  {
    fact: 'an emoji in a title is decoded once, and a reference that was typed stays',
    source: 'phpbb/customisation-db#371',
    tables: { phpbb_topics: [topic(1, 2, { topic_title: '&#128512; &amp;#128512; &amp;amp;', topic_first_post_id: 1 })] },
    found: async (rows) => (await rows('threads'))[0]?.title,
    expected: '😀 &#128512; &amp;',
  },
  {
    fact: 'names of files may have blanks, and be the same',
    source: 'discourse/discourse#2889',
    tables: { phpbb_attachments: [file(1, 'my tea &amp; co.png'), file(2, 'my tea &amp; co.png')] },
    found: async (rows) => (await rows('files')).map(({ id, name, path }) => [id, name, path]),
    expected: [
      ['1', 'my tea & co.png', 'files/2_1'],
      ['2', 'my tea & co.png', 'files/2_2'],
    ],
  },
]

const topics: Case[] = [
  {
    fact: 'a pin whose days are over is none',
    source: 'phpbb/phpbb#4762',
    tables: {
      phpbb_topics: [
        [1, now - 3 * day, 2 * day],
        [1, now - 3 * day, 4 * day],
        [2, now - 3 * day, 0],
        [3, now - 3 * day, 2 * day],
        [3, now - 3 * day, 0],
        [0, now - 3 * day, 4 * day],
      ].map(([topic_type = 0, topic_time = 0, topic_time_limit = 0], at) =>
        topic(at + 1, 2, { topic_title: 'x', topic_first_post_id: at + 1, topic_type, topic_time, topic_time_limit }),
      ),
      phpbb_posts: [1, 2, 3, 4, 5, 6].map((id) => post(id, id, { post_text: '<t>x</t>' })),
    },
    found: async (rows) => (await rows('threads')).map(({ pin }) => pin),
    expected: [0, 1, 1, 0, 2, 0],
  },
  {
    fact: 'the earliest post opens a topic whose first post is another topic’s, or gone',
    source: 'ppy/osu-web#7218',
    tables: {
      phpbb_topics: [1, 2, 3].map((id) => topic(id, 2, { topic_title: `${id}`, topic_first_post_id: [1, 1, 99][id - 1] ?? 0 })),
      phpbb_posts: [
        post(1, 1, { post_text: '<t>one</t>' }),
        post(4, 2, { post_text: '<t>later</t>', post_time: now }),
        post(5, 2, { post_text: '<t>earlier</t>', post_time: now - day }),
        post(6, 3, { post_text: '<t>three</t>' }),
      ],
    },
    found: async (rows) => [
      (await rows('threads')).map((one) => [one.id, one.opening.id]),
      (await rows('comments')).map((one) => [one.threadId, one.id]),
    ],
    expected: [
      [
        ['1', '1'],
        ['2', '5'],
        ['3', '6'],
      ],
      [['2', '4']],
    ],
  },
  {
    fact: 'the shadow of a moved topic is an address alone',
    source: 'tas2580/seourls#42',
    tables: {},
    found: async (rows) => [(await rows('threads')).map(({ id }) => id).includes('3'), await rows('moved')],
    expected: [false, [{ id: '3', threadId: '1' }]],
  },
  {
    fact: 'a topic that was deleted softly keeps its posts, each in its own state',
    source: 'phpbb/phpbb#1992',
    tables: {
      phpbb_topics: [topic(1, 2, { topic_title: 'x', topic_first_post_id: 1, topic_visibility: 2 })],
      phpbb_posts: [1, 2, 0, 3].map((post_visibility, at) => post(at + 1, 1, { post_text: '<t>x</t>', post_visibility })),
    },
    found: async (rows) => [(await opening(rows))?.state, (await rows('comments')).map(({ state }) => state)],
    expected: ['deleted', ['deleted', 'pending', 'pending']],
  },
]

const people: Case[] = [
  {
    fact: 'a post of a member who is gone has the name that is left in it',
    source: 'discourse/discourse#9085',
    tables: said('<t>x</t>', { poster_id: 99, post_username: 'Bo &amp; Co' }),
    found: async (rows) => (await opening(rows))?.author,
    expected: { memberId: '99', name: 'Bo & Co' },
  },
  {
    fact: 'an opening of a member who is gone has the name that is left in its topic',
    source: 'discourse/discourse#9085',
    tables: {
      ...said('<t>x</t>', { poster_id: 99 }),
      phpbb_topics: [topic(1, 2, { topic_title: 'x', topic_first_post_id: 1, topic_first_poster_name: 'Bo &amp; Co' })],
    },
    found: async (rows) => (await opening(rows))?.author,
    expected: { memberId: '99', name: 'Bo & Co' },
  },
  {
    fact: 'a message to a group is for each of its members',
    source: 'discourse/discourse#17641',
    tables: { phpbb_privmsgs: [message(1, 2, { to_address: 'g_8' })], phpbb_privmsgs_to: copies(1, 2, 3, 5) },
    found: async (rows) => (await rows('messages')).map(({ readerIds }) => readerIds),
    expected: [['3', '5']],
  },
  {
    fact: 'an answer has its own readers, not those of the first message',
    source: 'discourse/discourse#4240',
    tables: {
      phpbb_privmsgs: [message(1, 2, { root_level: 0 }), message(2, 3, { root_level: 1 })],
      phpbb_privmsgs_to: [...copies(1, 2, 3, 5), ...copies(2, 3, 2)],
    },
    found: async (rows) => (await rows('messages')).map(({ authorId, readerIds }) => [authorId, readerIds]),
    expected: [
      ['2', ['3', '5']],
      ['3', ['2']],
    ],
  },
]

test.each([...bodies, ...topics, ...people])('$fact ($source)', async ({ tables, found, expected }) => {
  const dump = write('board.sql', tablesSql({ ...oldPhpbb, ...tables }, 'utf8mb3'))
  expect(await found((kind) => rowsInDump(open, dump, kind))).toEqual(expected)
})

const poll = (topic_id: number, ...labels: readonly string[]): OldRow[] =>
  labels.map((label, at) => ({ topic_id, poll_option_id: at + 1, poll_option_text: `<t>${label}</t>`, poll_option_total: 77 }))
const oddBoard: OldTables = {
  ...oldPhpbb,
  phpbb_users: [
    ...rowsIn('phpbb_users'),
    user(6, 'Lin', { user_email: 'one@example.org' }),
    user(7, 'Bo', { user_email: 'one@example.org' }),
    user(8, 'bo', {}),
  ],
  phpbb_forums: [...rowsIn('phpbb_forums'), aForum(8, 'In itself', { parent_id: 8 })],
  phpbb_topics: [
    topic(1, 2, { topic_title: 'Guests', topic_first_post_id: 1 }),
    topic(2, 2, { topic_title: 'Poll', topic_first_post_id: 10, poll_title: '<t>Which?</t>', poll_start: now }),
    topic(3, 2, { topic_title: 'Poll of nothing', topic_first_post_id: 11, poll_title: '<t>?</t>', poll_start: now }),
    topic(4, 2, { topic_title: '', topic_first_post_id: 12 }),
  ],
  phpbb_posts: [
    post(1, 1, { post_text: '<r><URL url="http://old.example/forum/viewtopic.php?t=4711">x</URL></r>' }),
    ...['Passer', 'passer', 'Mei'].map((post_username, at) => post(at + 2, 1, { post_text: '<t>guest</t>', poster_id: 1, post_username })),
    post(10, 2, { post_text: '<t>poll</t>' }),
    post(11, 3, { post_text: '<t>poll of nothing</t>' }),
    post(12, 4, { post_text: '' }),
  ],
  phpbb_poll_options: poll(2, 'Tea', 'Tea', ''),
  phpbb_poll_votes: [
    { topic_id: 2, poll_option_id: 1, vote_user_id: 3 },
    { topic_id: 2, poll_option_id: 2, vote_user_id: 99 },
    { topic_id: 2, poll_option_id: 2, vote_user_id: 1 },
  ],
  phpbb_privmsgs: [message(1, 3), message(2, 99), message(3, 3), message(4, 3)],
  phpbb_privmsgs_to: [...copies(1, 3, 3), ...copies(2, 3), ...copies(3, 3, 99), ...copies(4, 3, 2)],
}

type Written = { fact: string; source: string; found: (forum: Forum) => Promise<unknown>; expected: unknown }

const written: Written[] = [
  {
    fact: 'guests whose names differ by case alone are one, and one with the name of a member is another',
    source: 'discourse/discourse#4350',
    found: async (forum) => (await commentsIn(forum)).map(({ author }) => author),
    expected: ['passer', 'passer', 'Mei-2'],
  },
  {
    fact: 'members whose names differ by case alone are two',
    source: 'AlexSheer/phpBB3.2-STK#40',
    found: async ({ database: { app } }) =>
      (await app.selectFrom('member').select('account').where('account', 'ilike', 'bo%').orderBy('id').execute()).map(
        ({ account }) => account,
      ),
    expected: ['Bo', 'bo-2'],
  },
  {
    fact: 'an e-mail address is of the first member who has it',
    source: 'phpbb/phpbb#5727',
    found: ({ database: { app } }) =>
      app.selectFrom('import_note').select(['samples']).where('note', '=', 'e-mail address that another member has').execute(),
    expected: [{ samples: ['Bo'] }],
  },
  {
    fact: 'options of a poll that say the same, or nothing, stay apart',
    source: 'discourse/discourse#17641',
    found: async ({ database: { app } }) =>
      (await app.selectFrom('poll_option').select('label').orderBy('place').execute()).map(({ label }) => label),
    expected: ['Tea', 'Tea (2)', '–'],
  },
  {
    fact: 'votes of guests and of members who are gone are none',
    source: 'phpbb/phpbb#1068',
    found: async ({ database: { app } }) => (await app.selectFrom('poll_ballot').select('topic_id').execute()).length,
    expected: 1,
  },
  {
    fact: 'a link to a topic that is not there leads to the old site',
    source: 'discourse/discourse#3824',
    found: async ({ database: { app } }) => {
      const { body } = await app.selectFrom('topic').select('body').where('title', '=', 'Guests').executeTakeFirstOrThrow()
      return linksOf(body as Doc)
    },
    expected: ['http://old.example/forum/viewtopic.php?t=4711'],
  },
  {
    fact: 'messages to oneself, to the gone and from the gone are counted, and the others come',
    source: 'discourse/discourse#4321',
    found: async (forum) => [
      (await messagesIn(forum)).map(({ text }) => text),
      await forum.database.app.selectFrom('import_note').select(['count', 'samples']).where('note', 'like', 'message %').execute(),
    ],
    expected: [['message 4'], [{ count: '3', samples: ['1', '2', '3'] }]],
  },
  {
    fact: 'a forum that lies in itself is a tag',
    source: 'NodeBB/NodeBB#3614',
    found: async ({ database: { app } }) => (await app.selectFrom('tag').select('id').where('name_zh', '=', 'In itself').execute()).length,
    expected: 1,
  },
  {
    fact: 'a topic without a title and a text has its number as a title',
    source: 'akhoury/nodebb-plugin-import#214',
    found: ({ database: { app } }) => app.selectFrom('topic').select(['title', 'status']).where('title', 'like', '#%').execute(),
    expected: [{ title: '#4', status: 'published' }],
  },
]

describe('an import', () => {
  let forum: Forum
  beforeAll(async () => {
    forum = await movedIn('phpbb', { from: write('odd.sql', tablesSql(oddBoard, 'utf8mb3')), files: folder })
  })

  test.each(written)('$fact ($source)', async ({ found, expected }) => expect(await found(forum)).toEqual(expected))
})
