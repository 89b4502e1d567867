import fc from 'fast-check'
import iconv from 'iconv-lite'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { decoderFor } from '#importer/server/tables/decode.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { openMysql } from '#importer/server/tables/mysql.ts'
import { dateTime, keysOf, unixTime, type Key, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { startMariadb, type TestMariadb } from '#importer/testing/mariadb.ts'
import { contractSql, testSourceTables } from '#importer/testing/source-tables-contract.ts'
import { createTables, insertsOf } from '#importer/testing/source-rows.ts'

let mariadb: TestMariadb
beforeAll(async () => {
  mariadb = await startMariadb()
  afterFile(() => mariadb.stop())
  mariadb.run('create database contract character set utf8mb4 collate utf8mb4_bin')
  mariadb.run(contractSql({ dateTime: 'datetime', large: 'bigint' }), 'contract')
})
const { write } = dumpFolder()
const byId: Key[] = [{ column: 'id', kind: 'number' }]

describe('MariaDB', () => {
  testSourceTables(() => openMysql(mariadb.address('contract')))
})

describe('a dump of mariadb-dump', () => {
  testSourceTables(() => openDump(write('contract.sql', mariadb.dump('contract'))))
})

async function within<T>(opening: Promise<SourceTables>, read: (source: SourceTables) => Promise<T>): Promise<T> {
  const source = await opening
  try {
    return await read(source)
  } finally {
    await source.close()
  }
}

async function allOf(source: SourceTables, table: string, keys: readonly Key[]): Promise<Row[]> {
  const columns = (await source.columns(table)).map(({ name }) => name)
  return source.page(table, { columns, keys, after: null, limit: 100_000 })
}

const types = `id bigint unsigned primary key, d datetime, ts timestamp null, dd date, bit1 bit(1), bit9 bit(9), j json, g varchar(20) charset gbk,
  l varchar(20) charset latin1, u varchar(20) charset utf8mb3 collate utf8mb3_bin, m text charset utf8mb4, bl blob, price decimal(30,10),
  real8 double, y year, e enum('a','茶') charset gbk, t time(6)`

test('a cell of each type is its text, and a date of zeros is none', async () => {
  mariadb.run('create database types')
  mariadb.run(
    `set sql_mode = '', time_zone = '+08:00'; create table kinds (${types}); create table \`茶\` (id int, \`名\` int);
     insert into kinds values (18446744073709551615,'0000-00-00 00:00:00','2026-01-01 08:00:00','0000-00-00',1,257,'{"a":"茶"}',X'B55C',X'E88CB6',
       X'E88CB6','😀',X'00FF27',1.5,1e300,2020,'茶','-12:00:00.5'); insert into \`茶\` values (1, 2);`,
    'types',
  )
  const [row = {}, named] = await within(openMysql(mariadb.address('types')), async (source) => [
    ...(await allOf(source, 'kinds', byId)),
    ...(await allOf(source, '茶', byId)),
  ])
  expect(dateTime(row, 'd')).toBeNull()
  expect(unixTime(row, 'dd')).toBeNull()
  expect(dateTime(row, 'ts')).toEqual(new Date('2026-01-01T00:00:00Z'))
  const bytes = Object.values(row).map((cell) => cell?.toString('latin1'))
  expect(bytes.slice(4, 9)).toEqual(['1', '257', Buffer.from('{"a":"茶"}').toString('latin1'), 'µ\\', 'è\x8c¶'])
  const [smiley, tea] = [Buffer.from('😀').toString('latin1'), iconv.encode('茶', 'gbk').toString('latin1')]
  expect(bytes.slice(9)).toEqual(['è\x8c¶', smiley, "\0ÿ'", '1.5000000000', '1e300', '2020', tea, '-12:00:00.500000'])
  expect(named?.['名']?.toString()).toBe('2')
})

test('UTF-8 in a latin1 table is read live, from a dump in latin1, and from the doubled dump that is the default', async () => {
  mariadb.run('create database latin')
  const texts = ['大家好', '红茶', 'Größe', 'tea', '😀']
  const rows = texts.map((value, id) => `(${id}, _latin1 X'${Buffer.from(value).toString('hex')}')`)
  mariadb.run(`create table b (id int primary key, a text charset latin1); insert into b values ${rows.join()}`, 'latin')
  const dumps = [[], ['--default-character-set=latin1']].map((options, at) => write(`latin${at}.sql`, mariadb.dump('latin', ...options)))
  const found: [string, string[]][] = []
  for (const opening of [openMysql(mariadb.address('latin')), ...dumps.map((dump) => openDump(dump))]) {
    await within(opening, async (source) => {
      const sample = (await allOf(source, 'b', byId)).map((row) => row['a'] ?? Buffer.of())
      const decoder = decoderFor(sample, (await source.columns('b'))[1]?.charset ?? null)
      found.push([decoder.name, sample.map(decoder.decode)])
    })
  }
  expect(found).toEqual([
    ['utf8', texts],
    ['utf8 in latin1', texts],
    ['utf8', texts],
  ])
})

test('an address that is wrong tells what to do', async () => {
  const { url, password } = mariadb.address('contract')
  await expect(openMysql({ url, password: 'wrong' })).rejects.toThrow('MySQL takes no such password from reader')
  await expect(openMysql(mariadb.address('nowhere'))).rejects.toThrow(/no database called nowhere|does not let reader into nowhere/)
  await expect(openMysql({ url: 'mysql://a@nowhere.invalid/b', password })).rejects.toThrow('See to the address')
  await expect(openMysql({ url: 'mysql://a@127.0.0.1:1/b', password })).rejects.toThrow('No MySQL answers at 127.0.0.1:1')
  await expect(openMysql({ url: 'mysql://a:b@127.0.0.1/b', password })).rejects.toThrow('Leave it out')
  await expect(openMysql({ url: 'mysql://127.0.0.1/b', password })).rejects.toThrow('names no user')
})

test('a connection that was lost is told to the operator', async () => {
  const source = await openMysql(mariadb.address('contract'))
  mariadb.run('kill user reader')
  await expect(source.count('note')).rejects.toThrow('Begin again')
  await source.close()
})

test('a text key is compared by the collation of its column, whatever its charset', async () => {
  mariadb.run('create database keyed')
  mariadb.run(
    `create table k (code varchar(20) charset gbk collate gbk_chinese_ci primary key, n int);
     insert into k values ('a', 1), ('B', 2), ('c', 3), ('茶', 4), ('壶', 5), ('乗', 6), ('', 7), ('D''\\\\', 8);`,
    'keyed',
  )
  const keys: Key[] = [{ column: 'code', kind: 'text' }]
  await within(openMysql(mariadb.address('keyed')), async (source) => {
    const whole = (await allOf(source, 'k', keys)).map((row) => row['n']?.toString())
    const single: (string | undefined)[] = []
    for (let after: string[] | null = null; ;) {
      const [row]: Row[] = await source.page('k', { columns: ['code', 'n'], keys, after, limit: 1 })
      if (!row) break
      single.push(row['n']?.toString())
      after = keysOf(row, keys)
    }
    expect(single).toEqual(whole)
    expect(single.length).toBe(8)
  })
})

test('a page by two keys reads no more of the index than its rows', async () => {
  mariadb.run('create database wide')
  mariadb.run(
    `create table w (tid int, position int, pad char(200), primary key (tid, position));
     insert into w select seq div 100, seq mod 100, 'x' from seq_1_to_50000; flush status;`,
    'wide',
  )
  await within(openMysql(mariadb.address('wide')), async (source) => {
    const keys: Key[] = ['tid', 'position'].map((column) => ({ column, kind: 'number' }))
    const rows = await source.page('w', { columns: ['tid'], keys, after: ['250', '50'], limit: 10 })
    expect(rows.length).toBe(10)
  })
  const plan = mariadb.query(
    `analyze format=json select tid from w where (tid >= 250 and (tid > 250 or (tid = 250 and position > 50))) order by tid, position limit 10`,
    'wide',
  )
  expect(plan).toContain('"access_type": "range"')
  expect(Number(/"r_rows": (\d+)/.exec(plan)?.[1])).toBeLessThan(200)
})

describe('the rows of real programs', () => {
  test.each(['phpbb', 'discuz'] as const)('of %s are the same live, in their dump and in a dump of ours', async (program) => {
    const name = program.replaceAll(/\W/g, '_')
    mariadb.run(`create database ${name}`)
    mariadb.run(`set sql_mode = '';${createTables(program)}${insertsOf(program)}`, name)
    const dumps = ['utf8mb4', 'binary'].map((charset) => write(`${charset}.sql`, mariadb.dump(name, `--default-character-set=${charset}`)))
    await within(openMysql(mariadb.address(name)), async (live) => {
      for (const dump of dumps) {
        await within(openDump(dump), async (dumped) => {
          expect((await dumped.tables()).toSorted()).toEqual((await live.tables()).toSorted())
          let rows = 0
          for (const table of await live.tables()) {
            const cells = await cellsIn(dumped, table)
            expect(cells).toEqual(await cellsIn(live, table))
            rows += cells.length
          }
          expect(rows).toBe(insertsOf(program).match(/^INSERT INTO/gm)?.length)
        })
      }
    })
  })
})

/** All cells of a table, in an order of their own. */
async function cellsIn(source: SourceTables, table: string): Promise<string[]> {
  const columns = (await source.columns(table)).map(({ name }) => name)
  const [first = ''] = columns
  const values = Array.from({ length: 200 }, (_, n) => String(n))
  const rows = await source.among(table, { columns, column: first, values })
  return rows.map((row) => columns.map((column) => row[column]?.toString('hex') ?? 'null').join()).toSorted()
}

test.each([
  ['utf8mb4', 'text charset utf8mb4'],
  ['latin1', 'text charset latin1'],
  ['binary', 'text charset latin1'],
  ['binary', 'text charset gbk'],
  ['gbk', 'text charset gbk'],
  ['utf8mb4', 'blob'],
  ['gbk', 'blob'],
])('any bytes come back from a dump in %s of a column %s', async (charset, type) => {
  mariadb.run('drop database if exists bytes; create database bytes')
  mariadb.run(`create table b (id int primary key, a ${type})`, 'bytes')
  const nasty = fc
    .array(fc.constantFrom(0x5c, 0x27, 0x22, 0, 0x0a, 0x1a, 0xb5, 0x81, 0xfe, 0x6e), { maxLength: 20 })
    .map((all) => Buffer.from(all))
  const anyBytes = fc.oneof(
    nasty,
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  )
  const anyText = fc.array(fc.constantFrom('茶', '乗', '俓', '\\', "'", '\n', 'n', '\0', 'é', '礬')).map((parts) => parts.join(''))
  const values = type.includes('gbk')
    ? fc
        .sample(anyText, 300)
        .map((value) => iconv.decode(iconv.encode(value, 'gbk'), 'gbk'))
        .map((value) => iconv.encode(value, 'gbk'))
    : type.includes('utf8mb4')
      ? fc.sample(anyText, 300).map((value) => Buffer.from(value))
      : fc.sample(anyBytes, 300)
  const literal = type === 'blob' ? '' : `_${type.split(' ').at(-1)}`
  mariadb.run(`insert into b values ${values.map((bytes, id) => `(${id}, ${literal} X'${bytes.toString('hex')}')`).join()}`, 'bytes')
  for (const options of [[], ['--hex-blob'], ['--skip-extended-insert', '--complete-insert']]) {
    const dump = write('bytes.sql', mariadb.dump('bytes', `--default-character-set=${charset}`, ...options))
    const rows = await within(openDump(dump), (source) => allOf(source, 'b', byId))
    expect(rows.map((row) => row['a']?.toString('hex'))).toEqual(values.map((bytes) => bytes.toString('hex')))
  }
})
