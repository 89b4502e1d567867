import { expect, test } from 'vitest'
import { openDiscuz } from '#importer/server/discuz/reader.ts'
import type { Kind, SourceRows } from '#importer/server/source.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { rowsInDump } from '#importer/testing/old-board.ts'
import { began, oldDiscuz } from '#importer/testing/old-discuz.ts'
import { tablesSql, type OldRow, type OldTables } from '#importer/testing/old-tables.ts'

const { write } = dumpFolder()

/** All rows of a kind of the small board, with these tables in place of its own. */
const rowsOf = <K extends Kind>(kind: K, tables: OldTables): Promise<SourceRows[K][]> =>
  rowsInDump(openDiscuz, write('board.sql', tablesSql({ ...oldDiscuz, ...tables }, 'utf8mb3')), kind)

const rowsIn = (table: string): readonly OldRow[] => oldDiscuz[table] ?? []
const setting = (skey: string, svalue: string) => ({ pre_common_setting: [...rowsIn('pre_common_setting'), { skey, svalue }] })

test('a remark follows its post to another thread, and goes with a post that is gone', async () => {
  const remark = { author: '张三', authorid: 2, dateline: began, comment: '好' }
  const rows = await rowsOf('comments', {
    pre_forum_postcomment: [
      { id: 1, tid: 99, pid: 2, ...remark },
      { id: 2, tid: 1, pid: 99, ...remark },
    ],
  })
  const remarks = rows.filter(({ id }) => id.startsWith('remark-'))
  expect(remarks.map(({ id, threadId, belowId }) => ({ id, threadId, belowId }))).toEqual([{ id: 'remark-1', threadId: '1', belowId: '2' }])
})

test.each([
  ['0', ['paragraph', 'hidden', 'blockquote']],
  ['7', ['paragraph', 'blockquote']],
])('text hidden for an answer, with hideexpiration %s, is after years %j', async (days, types) => {
  const posts = rowsIn('pre_forum_post').map((row) => (row['pid'] === 1 ? { ...row, message: 'a [hide]b[/hide]' } : row))
  const [thread] = await rowsOf('threads', { ...setting('hideexpiration', days), pre_forum_post: posts })
  expect(thread?.opening.body.document.content.map(({ type }) => type)).toEqual(types)
})

test.each([
  ['0', true],
  ['24', false],
])('a paid thread, with maxchargespan %s, costs something after years: %s', async (hours, isPaid) => {
  const threads = rowsIn('pre_forum_thread').map((row) => (row['tid'] === 1 ? { ...row, price: 5 } : row))
  const [thread] = await rowsOf('threads', { ...setting('maxchargespan', hours), pre_forum_thread: threads })
  expect(thread?.opening.body.document.content.some(({ type }) => type === 'hidden')).toBe(isPaid)
})

test('the bounty of an open question is in the credit of bounties', async () => {
  const settings = rowsIn('pre_common_setting').filter(({ skey }) => skey !== 'creditstrans')
  const threads = rowsIn('pre_forum_thread').map((row) => (row['tid'] === 5 ? { ...row, price: 10 } : row))
  const bountyWith = async (svalue: string) => {
    const rows = await rowsOf('threads', { pre_common_setting: [...settings, { skey: 'creditstrans', svalue }], pre_forum_thread: threads })
    return rows.find(({ id }) => id === '5')?.bounties
  }
  expect(await bountyWith('2')).toEqual([{ credit: '2', amount: 10n, payerId: '1' }])
  expect(await bountyWith('2,0,1,0')).toEqual([{ credit: '1', amount: 10n, payerId: '1' }])
  expect(await bountyWith('2,1,0')).toEqual([{ credit: '2', amount: 10n, payerId: '1' }])
})

test('a forum for higher levels is for the members who have reached them', async () => {
  const level = (groupid: number, higher: number, lower: number) => ({
    groupid,
    radminid: 0,
    type: 'member',
    grouptitle: `Lv${groupid}`,
    creditshigher: higher,
    creditslower: lower,
  })
  const tables = {
    pre_common_usergroup: [level(9, -999_999, 0), level(21, 0, 50), level(22, 50, 200), level(23, 200, 999_999), level(24, 0, 0)],
    pre_forum_forumfield: [
      { fid: 1, viewperm: '', postperm: '', replyperm: '', password: '', description: '' },
      { fid: 2, viewperm: '\t22\t23\t', postperm: '\t21\t22\t23\t', replyperm: '\t23\t', password: '', description: '' },
    ],
  }
  const tags = await rowsOf('tags', tables)
  expect(tags.map(({ readers, writers, commenters }) => ({ readers, writers, commenters }))).toEqual([
    { readers: 'everybody', writers: 'members', commenters: 'members' },
    { readers: ['22', '23'], writers: 'members', commenters: ['23'] },
  ])
  const groups = await rowsOf('groups', tables)
  expect(groups.flatMap(({ id, isBuiltIn }) => (isBuiltIn ? [] : [id]))).toEqual(['22', '23'])
})

test('a member who lies in the archive as well comes once', async () => {
  const [zhang] = rowsIn('pre_common_member').filter(({ uid }) => uid === 2)
  const rows = await rowsOf('members', { pre_common_member_archive: [...rowsIn('pre_common_member_archive'), ...(zhang ? [zhang] : [])] })
  expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
})
