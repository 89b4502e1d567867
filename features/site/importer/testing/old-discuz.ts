import { createHash } from 'node:crypto'
import iconv from 'iconv-lite'
import type { OldRow, OldTables } from '#importer/testing/old-tables.ts'

/** Unix seconds of the first post. */
export const began = 1_500_000_000
export const typedPassword = '密码茶'
const salt = 'a1B2c3'

/** A small Discuz! X3.4 in GBK, with what boards of ten years have: see the tests for each. */
export const oldDiscuz: OldTables = {
  pre_common_setting: [
    { skey: 'bbname', svalue: '老茶馆' },
    { skey: 'siteurl', svalue: 'http://bbs.example.cn' },
    { skey: 'postperpage', svalue: '2' },
    { skey: 'extcredits', svalue: serializedCredits(['威望', '铜钱']) },
    { skey: 'creditstrans', svalue: '2' },
  ],
  pre_common_member: [member(1, 'admin', { groupid: 1 }), member(2, '张三', { groupid: 10 }), member(3, '李四', { groupid: 4 })],
  pre_common_member_archive: [member(4, '老王', { groupid: 10 })],
  pre_ucenter_members: [1, 2, 3, 4].map((uid) => ({ uid, email: `m${uid}@example.cn`, password: hashOf(typedPassword), salt })),
  pre_common_member_count: [count(1, 0), count(2, 50), count(3, -4)],
  pre_common_member_count_archive: [count(4, 9)],
  pre_common_usergroup: [
    { groupid: 1, radminid: 1, type: 'system', grouptitle: '管理员', creditshigher: 0, creditslower: 0 },
    { groupid: 4, radminid: 0, type: 'system', grouptitle: '禁止发言' },
    { groupid: 10, radminid: 0, type: 'member', grouptitle: '新手', creditshigher: 0, creditslower: 50 },
  ],
  pre_forum_forum: [
    { fid: 1, fup: 0, name: '茶', status: 1, type: 'group', displayorder: 0 },
    { fid: 2, fup: 1, name: '绿茶', status: 1, type: 'forum', displayorder: 0 },
  ],
  pre_forum_thread: [
    thread(1, { subject: '茶 &amp; &#128512;', authorid: 2 }),
    thread(2, { subject: '存档', posttableid: 1 }),
    thread(3, { subject: '回收站', displayorder: -1 }),
    thread(4, { subject: '移走的', closed: 2 }),
    thread(5, { subject: '悬赏', special: 3, price: -10 }),
    thread(6, { subject: '卖文件' }),
    thread(7, { subject: '锁了', closed: 1 }),
  ],
  pre_forum_post: [
    post(1, 1, 1, { message: '[b]大家好[/b] &#128512; 乗', authorid: 2, author: '张三' }),
    post(2, 1, 2, { message: '一楼', authorid: 4, author: '老王' }),
    post(3, 1, 3, { message: '走了', authorid: 9, author: '走了的人' }),
    post(4, 1, 4, { message: '匿名的话', authorid: 3, author: '李四', anonymous: 1 }),
    post(8, 3, 1, { message: '在回收站里', invisible: -1 }),
    post(9, 3, 2, { message: '也在', invisible: -1 }),
    post(10, 5, 1, { message: '谁知道' }),
    post(11, 5, 2, { message: '不知道', authorid: 3, author: '李四', dateline: began + 100 }),
    post(12, 5, 3, { message: '我知道', authorid: 2, author: '张三', dateline: began + 1 }),
    post(13, 6, 1, { message: '看附件', attachment: 1 }),
    post(14, 7, 1, { message: '锁' }),
  ],
  pre_forum_post_1: [post(5, 2, 1, { message: '旧表里的' }), post(6, 2, 2, { message: '旧表一楼', authorid: 2, author: '张三' })],
  pre_forum_post_tableid: [{ pid: 14 }],
  pre_forum_postcomment: [
    { id: 1, tid: 1, pid: 2, author: '张三', authorid: 2, dateline: began + 500, comment: '点评 &lt;好&gt; &#128512;' },
    { id: 2, tid: 1, pid: 2, author: '', authorid: -1, dateline: 0, comment: '观点: <i>5</i>' },
    { id: 3, tid: 1, pid: 1, author: '老王', authorid: 4, dateline: began + 501, comment: '首帖点评' },
  ],
  pre_forum_attachment: [{ aid: 61, tid: 6, pid: 13, tableid: 6 }],
  pre_forum_attachment_6: [{ aid: 61, uid: 1, pid: 13, filename: '茶单.txt', attachment: '201707/tea.txt', remote: 0, price: 5 }],
  pre_ucenter_pm_indexes: [{ pmid: 1, plid: 1 }],
  pre_ucenter_pm_members: [
    { plid: 1, uid: 2, isnew: 0 },
    { plid: 1, uid: 3, isnew: 1 },
  ],
  pre_ucenter_pm_messages_1: [{ pmid: 1, plid: 1, authorid: 2, message: '悄悄话 &#128512;', dateline: began }],
}

function md5(bytes: Buffer | string): string {
  return createHash('md5').update(bytes).digest('hex')
}

/** As X3.4 hashes a password that came in the charset of its pages. */
function hashOf(typed: string): string {
  return md5(md5(iconv.encode(typed, 'gbk')) + salt)
}

/** As PHP serialises an array of arrays with a title; lengths are of bytes in GBK. */
function serializedCredits(titles: readonly string[]): string {
  const entries = titles.map((title, index) => `i:${index + 1};a:1:{s:5:"title";s:${iconv.encode(title, 'gbk').length}:"${title}";}`)
  return `a:${titles.length}:{${entries.join('')}}`
}

export function member(uid: number, username: string, more: OldRow): OldRow {
  const usual = {
    email: `m${uid}@example.cn`,
    emailstatus: 1,
    avatarstatus: 0,
    groupid: 0,
    groupexpiry: 0,
    extgroupids: '',
    regdate: began,
    status: 0,
  }
  return { uid, username, ...usual, ...more }
}

function count(uid: number, money: number): OldRow {
  const others = [3, 4, 5, 6, 7, 8].map((number) => [`extcredits${number}`, 0] as const)
  return { uid, extcredits1: 7, extcredits2: money, ...Object.fromEntries(others) }
}

export function thread(tid: number, more: OldRow): OldRow {
  const usual = { fid: 2, posttableid: 0, typeid: 0, readperm: 0, price: 0, author: 'admin', authorid: 1, dateline: began, views: 3 }
  return { tid, ...usual, displayorder: 0, digest: 0, special: 0, closed: 0, ...more }
}

export function post(pid: number, tid: number, position: number, more: OldRow): OldRow {
  const first = position === 1 ? 1 : 0
  const flags = { invisible: 0, anonymous: 0, htmlon: 0, bbcodeoff: -1, smileyoff: -1, parseurloff: 0, attachment: 0, status: 0 }
  const dateline = position === 1 ? began : began + 60 * position
  return { pid, tid, position, first, author: 'admin', authorid: 1, dateline, ...flags, ...(first && { bbcodeoff: 0 }), ...more }
}
