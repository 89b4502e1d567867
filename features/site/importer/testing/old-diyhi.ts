import { createHash } from 'node:crypto'

/**
 * A small diyhi/bbs 7. No running program wrote these rows: they were made by its documented schema (`structure_tables_mysql.sql`, the columns
 * that are read, with their types) and by what its source stores.
 */
const schema: Readonly<Record<string, string>> = {
  systemsetting: 'id int, title varchar(255)',
  frontendapi: 'id int, configData longtext, routeEnumMapper varchar(100)',
  sysusers: 'userId varchar(32), issys bit(1), userDuty varchar(255), userAccount varchar(30), nickname varchar(50)',
  userrole: 'id varchar(32), defaultRole bit(1), name varchar(50), userResourceFormat longtext',
  userrolegroup: 'id bigint, userName varchar(30), userRoleId varchar(32), validPeriodEnd datetime',
  user:
    'id bigint, email varchar(100), mobile varchar(20), password varchar(160), point bigint, registrationDate datetime, salt varchar(80), state int, ' +
    'userName varchar(30), securityDigest bigint, avatarName varchar(50), nickname varchar(50), deposit decimal(14,4), type int, account varchar(65), ' +
    'cancelAccountTime bigint, allowUserDynamic bit(1)',
  tag: 'id bigint, name varchar(190), sort int, image varchar(100), childNodeNumber int, parentId bigint',
  questiontag: 'id bigint, childNodeNumber int, name varchar(190), parentId bigint, sort int, image varchar(100)',
  questiontagassociation: 'id bigint, questionId bigint, questionTagId bigint',
  topic:
    'id bigint, allow bit(1), content longtext, isStaff bit(1), postTime datetime, tagId bigint, title varchar(190), userName varchar(30), viewTotal bigint, ' +
    'status int, sort int, lastUpdateTime datetime, giveRedEnvelopeId varchar(32), essence bit(1), voteThemeId varchar(32)',
  comment:
    'id bigint, content longtext, isStaff bit(1), postTime datetime, quote longtext, quoteIdGroup varchar(255), topicId bigint, userName varchar(30), ' +
    'status int, lastUpdateTime datetime',
  reply:
    'id bigint, commentId bigint, content longtext, isStaff bit(1), postTime datetime, topicId bigint, userName varchar(30), status int, ' +
    'lastUpdateTime datetime, friendReplyId bigint',
  question:
    'id bigint, allow bit(1), appendContent longtext, content longtext, isStaff bit(1), lastUpdateTime datetime, postTime datetime, sort int, status int, ' +
    'title varchar(190), userName varchar(30), viewTotal bigint, adoptionAnswerId bigint, amount decimal(12,2), point bigint, voteThemeId varchar(32)',
  answer:
    'id bigint, content longtext, isStaff bit(1), postTime datetime, questionId bigint, status int, userName varchar(30), adoption bit(1), lastUpdateTime datetime',
  answerreply:
    'id bigint, answerId bigint, content longtext, isStaff bit(1), postTime datetime, questionId bigint, status int, userName varchar(30), ' +
    'lastUpdateTime datetime, friendReplyId bigint',
  votetheme: 'id varchar(32), endDate datetime, maxChoice int, module int, sourceParameterId varchar(70), title varchar(190)',
  voteoption: 'id varchar(32), text varchar(60), voteThemeId varchar(32), sort int',
  voterecord: 'id varchar(96), userName varchar(30), voteOptionId varchar(32), voteThemeId varchar(32), voteTime datetime',
  giveredenvelope: 'id varchar(32), remainingQuantity int, refundAmount decimal(12,2)',
  userloginlog: 'id varchar(36), logonTime datetime, userId bigint',
  topicunhide: 'id varchar(43), hideTagType int, topicId bigint, userName varchar(30)',
  like:
    'id varchar(36), addtime datetime, topicId bigint, userName varchar(30), answerId bigint, answerReplyId bigint, commentId bigint, commentReplyId bigint, ' +
    'module int, questionId bigint',
  favorites: 'id varchar(36), addtime datetime, topicId bigint, userName varchar(30), module int, questionId bigint',
  follow: 'id varchar(40), addtime datetime, friendUserName varchar(30), userName varchar(30)',
  privatemessage:
    'id varchar(36), friendUserId bigint, messageContent longtext, receiverUserId bigint, sendTimeFormat bigint, senderUserId bigint, status int, userId bigint',
}
const sharded = ['userloginlog', 'topicunhide', 'like', 'favorites', 'follow', 'privatemessage']

export type DiyhiRow = Readonly<Record<string, string | number | boolean | null>>
/** The rows of each table; of one that is split in four, all of them in the table that `shard` says. */
export type DiyhiRows = Readonly<Record<string, readonly DiyhiRow[]>>

/** A dump of these rows. Every table is there, also all four of one that is split. */
export function diyhiSql(rows: DiyhiRows): string {
  const lines = Object.entries(schema).flatMap(([name, columns]) => {
    const its = rows[name] ?? []
    if (!sharded.includes(name)) return tableSql(name, columns, its)
    return [0, 1, 2, 3].flatMap((shard) =>
      tableSql(
        `${name}_${shard}`,
        columns,
        its.filter((row) => row['shard'] === shard),
      ),
    )
  })
  return ['/*!40101 SET NAMES utf8mb4 */;', ...lines].join('\n')
}

function tableSql(name: string, columns: string, rows: readonly DiyhiRow[]): string[] {
  const defined = columns.split(/, (?=[A-Za-z])/).map((column) => column.replace(/^(\w+)/, '`$1`'))
  return [
    `CREATE TABLE \`${name}\` (${defined.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;`,
    ...rows.map((row) => {
      const cells = Object.entries(row).filter(([column]) => column !== 'shard')
      const names = cells.map(([column]) => `\`${column}\``)
      return `INSERT INTO \`${name}\` (${names.join(',')}) VALUES (${cells.map(([, value]) => literal(value)).join(',')});`
    }),
  ]
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? "b'1'" : "b'0'"
  if (typeof value === 'number') return String(value)
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A member with the hash of a password; ids end in the number. Registered at noon in China. */
export function diyhiUser(id: number, account: string, password: string | null, its: DiyhiRow = {}): DiyhiRow {
  const salt = `salt${id}`
  return {
    id,
    email: null,
    mobile: null,
    password: password === null ? null : sha256(`${sha256(password)}[${salt}]`),
    point: 0,
    registrationDate: '2024-01-02 12:00:00',
    salt,
    state: 1,
    userName: userNameOf(id),
    securityDigest: Date.UTC(2024, 0, 2, 4),
    avatarName: null,
    nickname: null,
    deposit: '0.0000',
    type: 10,
    account,
    cancelAccountTime: -1,
    allowUserDynamic: true,
    ...its,
  }
}

/** The name that a member has inside. */
export function userNameOf(id: number): string {
  return `aB${'x'.repeat(19)}${id}`
}

export function diyhiTopic(id: number, title: string, content: string, its: DiyhiRow = {}): DiyhiRow {
  const usual = {
    allow: true,
    isStaff: false,
    postTime: `2024-02-01 08:${String(id).padStart(2, '0')}:00`,
    tagId: 11,
    userName: userNameOf(1),
  }
  const marks = { viewTotal: 5, status: 20, sort: 0, lastUpdateTime: null, giveRedEnvelopeId: null, essence: false, voteThemeId: null }
  return { id, title, content, ...usual, ...marks, ...its }
}

const ofPost = { isStaff: false, status: 20, lastUpdateTime: null }
/** Posts below come in the order of their ids, replies after comments. */
const timeOf = (hour: number, id: number) => `2024-02-02 ${String(hour).padStart(2, '0')}:${String(id).padStart(2, '0')}:00`

export function diyhiComment(id: number, topicId: number, by: number, content: string, its: DiyhiRow = {}): DiyhiRow {
  return { id, topicId, userName: userNameOf(by), content, quote: null, quoteIdGroup: ',', postTime: timeOf(8, id), ...ofPost, ...its }
}

/** A reply to a comment of topic 1. */
export function diyhiReply(id: number, commentId: number, by: number, content: string, its: DiyhiRow = {}): DiyhiRow {
  return { id, topicId: 1, commentId, userName: userNameOf(by), content, friendReplyId: null, postTime: timeOf(10, id), ...ofPost, ...its }
}

export function diyhiAnswer(id: number, questionId: number, by: number, content: string, its: DiyhiRow = {}): DiyhiRow {
  return { id, questionId, userName: userNameOf(by), content, adoption: false, postTime: timeOf(8, id), ...ofPost, ...its }
}

export function diyhiQuestion(id: number, title: string, content: string, its: DiyhiRow = {}): DiyhiRow {
  const usual = { allow: true, isStaff: false, postTime: '2024-02-03 08:00:00', userName: userNameOf(1), viewTotal: 3, status: 20, sort: 0 }
  const marks = { appendContent: '[', lastUpdateTime: null, adoptionAnswerId: 0, amount: '0.00', point: 0, voteThemeId: null }
  return { id, title, content, ...usual, ...marks, ...its }
}

/** The two copies of a message, in the table of each owner. */
export function diyhiMessage(
  number: number,
  from: number,
  to: number,
  content: string,
  status: [sender: number, receiver: number] = [20, 10],
) {
  const shared = { senderUserId: from, receiverUserId: to, messageContent: content, sendTimeFormat: Date.UTC(2024, 2, 1) + number }
  const copy = (owner: number, friend: number, its: number): DiyhiRow => ({
    id: `${sha256(`${number} ${owner}`).slice(0, 32)}${String(owner).padStart(4, '0')}`,
    userId: owner,
    friendUserId: friend,
    status: its,
    ...shared,
    shard: owner % 4,
  })
  return [copy(from, to, status[0]), copy(to, from, status[1])]
}

type Rights = { tagId: number; codes: readonly number[] }

/** What a role allows, as the program stores it. */
export function diyhiRights(tags: readonly Rights[], questions: readonly number[] = []): string {
  const list = (codes: readonly number[]) => codes.map((code) => ({ code, name: '', selected: true }))
  return JSON.stringify([
    ...tags.map(({ tagId, codes }) => ({ code: 1_000_000, type: 20, tagId, userResourceList: list(codes) })),
    { code: 10_000_000, type: 10, userResourceList: list(questions) },
  ])
}
