import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { linksOf, toText } from '#base/rich-text/to-text.ts'
import type { Forum } from '#base/testing/forum.ts'
import { openDiscuz } from '#importer/server/discuz/reader.ts'
import type { Kind, SourceBody, SourceRows } from '#importer/server/source.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { commentsIn, movedIn } from '#importer/testing/moved-in.ts'
import { rowsInDump } from '#importer/testing/old-board.ts'
import { member, oldDiscuz, post, thread } from '#importer/testing/old-discuz.ts'
import { tablesSql, type OldRow, type OldTables } from '#importer/testing/old-tables.ts'

const { write, path: folder } = dumpFolder()

const { pre_forum_postcomment: _remarks, pre_forum_post_1: _archive, ...board } = oldDiscuz
const rowsIn = (table: string): readonly OldRow[] => oldDiscuz[table] ?? []
const masking = { pre_common_setting: [...rowsIn('pre_common_setting'), { skey: 'bannedmessages', svalue: '1' }] }
const said = (message: string, more: OldRow = {}): OldTables => ({ pre_forum_post: [post(1, 1, 1, { message, ...more })] })
const shown = ({ document }: SourceBody) => toMarkdown(document).trim()
const types = ({ content }: Doc) => content.map((block) => (block.type === 'hidden' ? block.attrs : block.type))
const nothing: Doc = { type: 'doc', content: [] }
const hiddenFromAll = { lock: 'level', value: '999999999' }

type Read = <K extends Kind>(kind: K) => Promise<SourceRows[K][]>
type Case = {
  fact: string
  source: string
  tables: OldTables
  found: (rows: Read) => Promise<unknown>
  expected: unknown
}

const opening = async (rows: Read) => (await rows('threads'))[0]?.opening
const openingText = async (rows: Read) => {
  const its = await opening(rows)
  return its && shown(its.body)
}

const gbkSource = 'DIYgod/RSSHub#10143'

const bodies: Case[] = [
  {
    fact: 'a picture that the text does not show stands below it',
    source: 'xiulab/discuzx-xiuno#2',
    tables: {
      ...said('two pictures [attach]7[/attach]', { attachment: 2 }),
      pre_forum_attachment_1: [6, 7].map((aid) => ({
        aid,
        uid: 1,
        pid: 1,
        filename: 'a.png',
        attachment: `${aid}.png`,
        remote: 0,
        price: 0,
      })),
    },
    found: async (rows) => (await opening(rows))?.fileIds,
    expected: ['6'],
  },
  {
    fact: 'attachments stand in the order of the text, not of their uploads',
    source: 'NSDN/NyaSama#98',
    tables: {
      ...said('[attach]9[/attach] then [attachimg]8[/attachimg]', { attachment: 2 }),
      pre_forum_attachment_1: [8, 9].map((aid) => ({
        aid,
        uid: 1,
        pid: 1,
        filename: 'a.png',
        attachment: `${aid}.png`,
        remote: 0,
        price: 0,
      })),
    },
    found: async (rows) => {
      const its = await opening(rows)
      return its?.body.document.content.flatMap((block) => (block.type === 'file' ? [block.attrs.file] : []))
    },
    expected: ['import:file/9', 'import:file/8'],
  },
  {
    fact: 'a quote without the address of its post names the author',
    source: 'cnCalc/serainTalk#1',
    tables: said('[quote][color=#999999]Ann 发表于 2017-4-10 20:22[/color]\n[color=#999999]more of it[/color][/quote]\n\nbefore or after?'),
    found: openingText,
    expected: '> Ann\n>\n> more of it\n\nbefore or after?',
  },
  {
    fact: 'the address of a link keeps its parameters',
    source: 'kidozh/DiscuzHub#2',
    tables: said('[url=http://example.org/forum.php?mod=viewthread&tid=3]here[/url]'),
    found: async (rows) => linksOf((await opening(rows))?.body.document ?? nothing),
    expected: ['http://example.org/forum.php?mod=viewthread&tid=3'],
  },
  {
    fact: 'tags of looks leave their text',
    source: 'discourse/discourse#3292',
    tables: said('[align=center][font=Arial][size=4][color=Red]tea[/color][/size][/font][/align]'),
    found: openingText,
    expected: 'tea',
  },
  {
    fact: 'XML in a post without HTML is text',
    source: 'DIYgod/RSSHub#3880',
    tables: said('<?xml version="1.0"?><a b="c">&amp;</a>'),
    found: async (rows) => toText((await opening(rows))?.body.document ?? nothing),
    expected: '<?xml version="1.0"?><a b="c">&amp;</a>',
  },
  {
    fact: 'a board in GBK is read as GBK',
    source: gbkSource,
    tables: {},
    found: async (rows) => (await rows('threads')).map(({ title }) => title).slice(0, 2),
    expected: ['茶 & 😀', '回收站'],
  },
]

const authors: Case[] = [
  {
    fact: 'a post that staff have blocked is for its author and staff alone',
    source: 'NSDN/NyaSama#106',
    tables: said('blocked words [hide]more[/hide]', { status: 1 }),
    found: async (rows) => types((await opening(rows))?.body.document ?? nothing),
    expected: [hiddenFromAll],
  },
  {
    fact: 'posts of the banned, the locked and the gone are so where the board masks them',
    source: 'kidozh/DiscuzHub#15',
    tables: {
      ...masking,
      pre_common_member: [...rowsIn('pre_common_member'), member(5, '锁', { groupid: 10, status: -1 })],
      pre_forum_post: [
        post(1, 1, 1, { message: 'opening' }),
        ...[2, 3, 4, 5, 9, 0].map((authorid, at) => post(at + 2, 1, at + 2, { message: `of ${authorid}`, authorid })),
      ],
    },
    found: async (rows) => (await rows('comments')).map(({ body }) => types(body.document)[0]),
    expected: ['paragraph', hiddenFromAll, 'paragraph', hiddenFromAll, hiddenFromAll, 'paragraph'],
  },
  {
    fact: 'files of a post that is masked are masked with it, also those with a price',
    source: 'kidozh/DiscuzHub#15',
    tables: {
      ...masking,
      pre_forum_thread: [thread(6, { subject: 'files' })],
      pre_forum_post: [post(13, 6, 1, { message: 'list', attachment: 1, authorid: 99 })],
    },
    found: async (rows) => {
      const [found] = await rows('threads')
      const [part] = found?.opening.body.document.content ?? []
      return [found?.opening.fileIds, part?.type === 'hidden' && part.attrs, part?.type === 'hidden' && part.content?.at(-1)?.type]
    },
    expected: [[], hiddenFromAll, 'file'],
  },
  {
    fact: 'the author of an anonymous topic stays unnamed',
    source: 'diamont1001/blog#35',
    tables: {
      pre_forum_thread: [thread(1, { subject: 'secret', author: '', authorid: 2 })],
      ...said('of nobody', { anonymous: 1, authorid: 2, author: '张三' }),
    },
    found: async (rows) => (await opening(rows))?.author,
    expected: { guestName: '' },
  },
  {
    fact: 'a post of member 0 is of a guest with the name that it has',
    source: 'akhoury/nodebb-plugin-import#76',
    tables: said('from outside', { authorid: 0, author: '张三' }),
    found: async (rows) => (await opening(rows))?.author,
    expected: { guestName: '张三' },
  },
  {
    fact: 'a password keeps its salt, by which it is checked',
    source: 'casdoor/casdoor#674',
    tables: {},
    found: async (rows) => (await rows('members'))[0]?.password,
    expected: { family: 'discuz', hash: expect.stringMatching(/^[0-9a-f]{32}$/), salt: 'a1B2c3' },
  },
  {
    fact: 'a credit below zero stays below zero',
    source: 'pt-plugins/PT-depiler#401',
    tables: {},
    found: async (rows) => (await rows('members')).map(({ credits }) => credits['2']),
    expected: [0n, 50n, -4n, 9n],
  },
]

const places: Case[] = [
  {
    fact: 'a pin of the whole board is for all forums, others for their own',
    source: 'kidozh/DiscuzHub#14',
    tables: {
      pre_forum_thread: [0, 1, 2, 3].map((displayorder) => thread(displayorder + 1, { subject: `${displayorder}`, displayorder })),
      pre_forum_post: [1, 2, 3, 4].map((tid) => post(tid, tid, 1, { message: 'x' })),
    },
    found: async (rows) => (await rows('threads')).map(({ pin }) => pin),
    expected: [0, 1, 1, 2],
  },
  {
    fact: 'a closed thread is locked, and one that was moved leads on',
    source: 'thenx-projects/thenx-discuz#154',
    tables: {},
    found: async (rows) => [(await rows('threads')).filter(({ isLocked }) => isLocked).map(({ id }) => id), await rows('moved')],
    expected: [['7'], [{ id: '4', threadId: '2' }]],
  },
  {
    fact: 'a forum within a forum keeps its threads',
    source: 'kidozh/DiscuzHub#1',
    tables: {
      pre_forum_forum: [...rowsIn('pre_forum_forum'), { fid: 3, fup: 2, name: '龙井', status: 1, type: 'sub', displayorder: 0 }],
      pre_forum_thread: [thread(1, { subject: 'deep', fid: 3 })],
    },
    found: async (rows) => [
      (await rows('tags')).map(({ id, parentId }) => [id, parentId]),
      (await rows('threads')).map(({ tagId }) => tagId),
    ],
    expected: [
      [
        ['1', null],
        ['2', '1'],
        ['3', '2'],
      ],
      ['3'],
    ],
  },
]

test.each([...bodies, ...authors, ...places])('$fact ($source)', async ({ tables, found, expected, source }) => {
  const charset = source === gbkSource ? 'gbk' : 'utf8mb3'
  const dump = write('board.sql', tablesSql({ ...board, ...tables }, charset))
  expect(await found((kind) => rowsInDump(openDiscuz, dump, kind))).toEqual(expected)
})

const oddBoard: OldTables = {
  ...board,
  pre_forum_post: [
    ...rowsIn('pre_forum_post').filter(({ pid }) => pid !== 4),
    post(20, 1, 4, { message: 'as a guest', authorid: 0, author: '张三' }),
    post(21, 1, 5, { message: 'words that staff blocked', authorid: 2, author: '张三', status: 1 }),
  ],
}

type Written = { fact: string; source: string; found: (forum: Forum) => Promise<unknown>; expected: unknown }

const written: Written[] = [
  {
    fact: 'an author who is no member keeps the name of the post',
    source: 'the-open-agent/openagent#379',
    found: async (forum) => (await commentsIn(forum)).flatMap(({ text, author }) => (text === '走了' ? [author] : [])),
    expected: ['走了的人'],
  },
  {
    fact: 'a guest with the name of a member is another',
    source: 'akhoury/nodebb-plugin-import#76',
    found: async (forum) => (await commentsIn(forum)).flatMap(({ text, author }) => (text === 'as a guest' ? [author] : [])),
    expected: ['张三-2'],
  },
  {
    fact: 'a file that is missing is counted, and its post comes',
    source: 'insionng/yougam#46',
    found: async ({ database: { app } }) => [
      await app.selectFrom('import_note').select(['count', 'samples']).where('note', '=', 'file that is missing').execute(),
      await app.selectFrom('topic').select('status').where('title', '=', '卖文件').execute(),
    ],
    expected: [[{ count: '1', samples: ['data/attachment/forum/201707/tea.txt'] }], [{ status: 'published' }]],
  },
  {
    fact: 'a credit below zero is a debt',
    source: 'pt-plugins/PT-depiler#401',
    found: async ({ database: { app } }) =>
      (
        await sql<{
          balance: string
        }>`select balance from ledger.account join member on member.id = owner_id where account = '李四'`.execute(app)
      ).rows,
    expected: [{ balance: '-4' }],
  },
  {
    fact: 'what staff blocked stands in no open text',
    source: 'NSDN/NyaSama#106',
    found: async ({ database: { app } }) =>
      JSON.stringify(await app.selectFrom('comment').select(['body', 'segments', 'text']).where('floor', '=', 4).execute()).includes(
        'blocked',
      ),
    expected: false,
  },
]

describe('an import', () => {
  let forum: Forum
  beforeAll(async () => {
    forum = await movedIn('discuz', { from: write('odd.sql', tablesSql(oddBoard, 'utf8mb3')), files: folder }, { points: '2' })
  })

  test.each(written)('$fact ($source)', async ({ found, expected }) => expect(await found(forum)).toEqual(expected))
})
