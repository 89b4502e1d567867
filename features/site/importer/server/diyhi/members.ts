import type { Page, Range, SourceGroup, SourceMember } from '#importer/server/source.ts'
import { allRows, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, bigint, flag, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { isCancelled, readOf, rowsByText, shardsOf, timeOf, type Diyhi } from '#importer/server/diyhi/source.ts'

export const credits = [
  { id: 'points', name: '积分' },
  { id: 'deposit', name: '预存款，以分计 (balance in cents)' },
]

const columns = [
  'userName',
  'account',
  'nickname',
  'email',
  'mobile',
  'password',
  'salt',
  'type',
  'state',
  'registrationDate',
  'point',
  'deposit',
  'avatarName',
  'cancelAccountTime',
  'allowUserDynamic',
]
const enabled = 1
/** Local, phone, e-mail: the kinds of accounts with a password. */
const withPassword = [10, 20, 30]
/** Years from which a role has no end. */
const forEver = Date.UTC(2900, 0)

/** Roles of members. The default one is everybody's. */
export async function groups({ tables, decode }: Diyhi): Promise<SourceGroup[]> {
  const rows = await allRows(tables, {
    table: 'userrole',
    columns: ['id', 'name', 'defaultRole'],
    keys: [{ column: 'id', kind: 'text' }],
  })
  return rows.map((row) => ({
    id: text(row, 'id', decode),
    name: text(row, 'name', decode),
    isBuiltIn: flag(row, 'defaultRole'),
    isStaff: false,
  }))
}

/** Members by the names that they have inside. Cancelled accounts are nobody's. */
export async function* members(diyhi: Diyhi, range: Range): AsyncGenerator<Page<SourceMember>> {
  yield* pagesInTurn(diyhi.tables, [readOf('user', columns, range, 0)], range.after, async (all) => {
    const rows = all.filter((row) => !isCancelled(row))
    const names = rows.map((row) => text(row, 'userName', diyhi.decode))
    const roles = { table: 'userrolegroup', columns: ['userRoleId', 'validPeriodEnd'], column: 'userName' }
    const found = {
      roles: await rowsByText(diyhi, roles, names),
      seen: await lastSeen(diyhi, rows),
    }
    return rows.map((row) => memberOf(diyhi, row, found))
  })
}

type RowsOf = (name: string) => readonly Row[]
type Found = { roles: RowsOf; seen: ReadonlyMap<string, Date> }

function memberOf(diyhi: Diyhi, row: Row, { roles, seen }: Found): SourceMember {
  const of = (column: string) => text(row, column, diyhi.decode)
  const name = of('userName')
  const registered = of('registrationDate').slice(0, 10)
  return {
    id: name,
    name: of('account'),
    nickname: of('nickname'),
    email: of('email') === '' ? null : { address: of('email'), isConfirmed: integer(row, 'type') === 30 },
    phone: of('mobile'),
    password: withPassword.includes(integer(row, 'type')) ? { family: 'diyhi', hash: of('password'), salt: of('salt') } : null,
    joinedAt: timeOf(diyhi, row, 'registrationDate'),
    lastSeenAt: seen.get(id(row, 'id')) ?? null,
    avatar: of('avatarName') === '' ? null : `file/avatar/${registered}/${of('avatarName')}`,
    groups: roles(name).flatMap((role) => roleHeld(diyhi, role)),
    bans: integer(row, 'state') === enabled ? [] : [{ from: 'logging in', reason: '', until: null }],
    credits: { points: bigint(row, 'point'), deposit: centsOf(row, 'deposit') },
    fields: {},
    about: '',
    // Null is from before the choice, when all was shown.
    showsActivity: row['allowUserDynamic'] === null || flag(row, 'allowUserDynamic'),
  }
}

/** A role counts until its end; one without an end in its row never does. */
function roleHeld(diyhi: Diyhi, row: Row): { id: string; until: Date | null }[] {
  const until = timeOf(diyhi, row, 'validPeriodEnd')
  return until ? [{ id: text(row, 'userRoleId', diyhi.decode), until: until.getTime() >= forEver ? null : until }] : []
}

/** Whole cents of an amount in yuan; fractions of a cent are dropped. */
export function centsOf(row: Row, column: string): bigint {
  const written = row[column]?.toString('latin1') ?? '0'
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,30})(?:\.(\d{1,10}))?$/.exec(written) ?? []
  if (whole === '') throw new Error(`${column} is no amount: ${JSON.stringify(written.slice(0, 40))}`)
  const cents = BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'))
  return sign ? -cents : cents
}

async function lastSeen(diyhi: Diyhi, rows: readonly Row[]): Promise<Map<string, Date>> {
  const latest = new Map<string, Date>()
  for (const table of shardsOf('userloginlog')) {
    const ids = rows.map((row) => id(row, 'id'))
    for (const [user, logins] of await rowsBy(diyhi.tables, { table, columns: ['logonTime'], column: 'userId' }, ids))
      for (const login of logins) {
        const at = timeOf(diyhi, login, 'logonTime')
        if (at && at > (latest.get(user) ?? new Date(0))) latest.set(user, at)
      }
  }
  return latest
}

const staffColumns = ['userId', 'userAccount', 'nickname', 'userDuty', 'issys']

function staffRows({ tables }: Pick<Diyhi, 'tables'>): Promise<Row[]> {
  return allRows(tables, { table: 'sysusers', columns: staffColumns, keys: [{ column: 'userId', kind: 'text' }] })
}

/** The names that staff show, by their accounts. */
export async function staffNames(diyhi: Pick<Diyhi, 'tables' | 'decode'>): Promise<Map<string, string>> {
  const of = (row: Row, column: string) => text(row, column, diyhi.decode)
  return new Map((await staffRows(diyhi)).map((row) => [of(row, 'userAccount'), of(row, 'nickname') || of(row, 'userAccount')]))
}

export async function staff(diyhi: Diyhi): Promise<{ name: string; as: string }[]> {
  return (await staffRows(diyhi)).map((row) => ({
    name: text(row, 'userAccount', diyhi.decode),
    as: text(row, 'userDuty', diyhi.decode) || (flag(row, 'issys') ? 'super administrator' : 'staff'),
  }))
}
