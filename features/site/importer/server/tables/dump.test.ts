import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { openDump, type DumpOptions } from '#importer/server/tables/dump.ts'
import type { Row } from '#importer/server/tables/source-tables.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { contractSql, testSourceTables } from '#importer/testing/source-tables-contract.ts'
import { dumpOf, insertsOf } from '#importer/testing/source-rows.ts'

const { path: folder, write } = dumpFolder()
let file = 0

/** The rows of table t, whose key is id. */
async function rowsIn(content: string | Buffer, columns: string[], options: DumpOptions = {}): Promise<Row[]> {
  const source = await openDump(write(`${file++}.sql`, content), options)
  try {
    return await source.page('t', { columns, keys: [{ column: 'id', kind: 'number' }], after: null, limit: 10_000 })
  } finally {
    await source.close()
  }
}

async function textsIn(content: string | Buffer, options: DumpOptions = {}): Promise<(string | null)[]> {
  return (await rowsIn(content, ['a'], options)).map((row) => row['a']?.toString('latin1') ?? null)
}

const createT = 'CREATE TABLE `t` (\n  `id` int(11) NOT NULL AUTO_INCREMENT,\n  `a` text,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB;\n'

describe('a dump of MySQL', () => {
  testSourceTables(() => openDump(write('contract.sql', `SET NAMES utf8mb4;${contractSql({ dateTime: 'datetime', large: 'bigint' })}`)))
})

describe('the rows of real programs', () => {
  test.each(['phpbb', 'discuz'] as const)('of %s are all there', async (program) => {
    const source = await openDump(write(`${program}.sql`, dumpOf(program)))
    const inserts = insertsOf(program).match(/^INSERT INTO `\w+`/gm) ?? []
    let rows = 0
    for (const table of await source.tables()) rows += await source.count(table)
    expect(rows).toBe(inserts.length)
    await source.close()
  })

  test('of Discuz! keep their emoji and quotation marks', async () => {
    const source = await openDump(write('discuz.sql', dumpOf('discuz')), { wanted: (table) => table === 'pre_forum_post' })
    expect(await source.tables()).toEqual(['pre_forum_post'])
    const keys = [
      { column: 'tid', kind: 'number' },
      { column: 'position', kind: 'number' },
    ] as const
    const [first] = await source.page('pre_forum_post', { columns: ['message'], keys, after: null, limit: 1 })
    expect(first?.['message']?.toString()).toContain('{:1_1:} 😀 http://example.org/a?b=1&c=2\n第二行')
    await source.close()
  })
})

describe('a statement', () => {
  test('holds values of all kinds, with or without a list of columns', async () => {
    const rows = String.raw`/*!40101 SET NAMES utf8mb4 */;
      INSERT INTO t VALUES (1,'it''s \'\"\\ \0\n\r\t\Z\%\_ \q'),(2,NULL),(3,_binary 'b'), (4, 0x41C3A9),(5,X'42'),
      (6,''),(7,_utf8mb4'c') , (8,-1.5e+10);
      REPLACE IGNORE INTO ${'`x`.`t`'} (${'`a`, id'}) VALUES ('d', 9) ON DUPLICATE KEY UPDATE a = VALUES(a);
      INSERT INTO t (id) VALUE (10);`
    expect(await textsIn(createT + rows)).toEqual([
      "it's '\"\\ \0\n\r\t\x1a\\%\\_ q",
      null,
      'b',
      'AÃ©',
      'B',
      '',
      'c',
      '-1.5e+10',
      'd',
      null,
    ])
  })

  test('within a comment, a trigger or a string is none', async () => {
    const text = `-- INSERT INTO t VALUES (1,'no');
      # INSERT INTO t VALUES (2,'no');
      /* INSERT INTO t VALUES (3,'no'); */
      /*M!999999\\- enable the sandbox mode */
      ${createT}
      /*!50003 CREATE*/ /*!50017 DEFINER=\`a\`@\`b\`*/ /*!50003 TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET a = 1 */;
      DELIMITER ;;
      CREATE TRIGGER y AFTER INSERT ON t FOR EACH ROW BEGIN INSERT INTO t VALUES (4,'no'); END ;;
      DELIMITER ;
      INSERT INTO u VALUES ('; INSERT INTO t VALUES (5,''no'');');
      INSERT INTO t VALUES (6,'/* yes */ -- yes');`
    expect(await textsIn(text, { wanted: (table) => table === 't' })).toEqual(['/* yes */ -- yes'])
  })

  test('tells the charset of a column', async () => {
    const create = `CREATE TABLE t (id int, a varchar(5) CHARACTER SET latin1, b text COLLATE gbk_chinese_ci, c text, d blob, \`key\` enum('a,b)','c')
      DEFAULT 'c', KEY \`k\` (a), FULLTEXT KEY f (b)) ENGINE=MyISAM DEFAULT CHARSET=utf8;`
    const charsets = async (sql: string, options?: DumpOptions) => {
      const source = await openDump(write('charset.sql', sql), options)
      const columns = await source.columns('t')
      await source.close()
      return columns.map(({ name, charset }) => `${name} ${charset}`).join()
    }
    expect(await charsets(create)).toBe('id null,a latin1,b gbk,c utf8,d null,key utf8')
    expect(await charsets(`SET NAMES binary;${create}`)).toBe('id null,a latin1,b gbk,c utf8,d null,key utf8')
    expect(await charsets(`/*!40101 SET NAMES utf8mb4 */;${create}`)).toBe('id null,a utf8mb4,b utf8mb4,c utf8mb4,d null,key utf8mb4')
    expect(await charsets(`SET NAMES utf8;${create}`, { charset: 'GBK' })).toContain('a gbk,b gbk,c gbk')
  })

  test('with numbers and bits in quotation marks orders them as numbers', async () => {
    const sql = `CREATE TABLE t (id bigint unsigned, a bit(9));INSERT INTO t VALUES ('10',b'100000001'),('9',0x01),('007','\\0'),(18446744073709551615,NULL);`
    const rows = await rowsIn(sql, ['id', 'a'])
    expect(rows.map((row) => [row['id']?.toString(), row['a']?.toString()])).toEqual([
      ['7', '0'],
      ['9', '1'],
      ['10', '257'],
      ['18446744073709551615', undefined],
    ])
  })
})

describe('a file', () => {
  const whole = `${createT}INSERT INTO t VALUES (1,'one'),(2,'two');\n`

  test('may be packed, with a byte order mark, or one of several in the order of their numbers', async () => {
    for (const [name, bytes] of [
      ['a.sql.gz', gzipSync(whole)],
      ['a.sql.zst', zstdCompressSync(whole)],
      ['a.sql', `\uFEFF${whole}`],
    ] as const) {
      const source = await openDump(write(name, bytes))
      expect(await source.count('t')).toBe(2)
      await source.close()
    }
    mkdirSync(join(folder, 'parts'))
    const head = (volume: number) =>
      `# Identify: MTIz\n# <?php exit();?>\n# Discuz! Multi-Volume Data Dump Vol.${volume}\n# Version: X3.4\n\n`
    write('parts/b-1.sql', `${head(1)}DROP TABLE IF EXISTS t;\n${createT}INSERT INTO t VALUES ('1',0x41);\n`)
    for (let n = 2; n <= 10; n++) write(`parts/b-${n}.sql`, `${head(n)}INSERT INTO t VALUES ('${n}','${n}');\n`)
    write('parts/readme.txt', 'not sql')
    const source = await openDump(join(folder, 'parts'))
    expect(await source.count('t')).toBe(10)
    await source.close()
    write('parts/b-12.sql', head(12))
    await expect(openDump(join(folder, 'parts'))).rejects.toThrow('Part 11 of the backup is missing')
  })

  test('that is cut anywhere is refused, and leaves nothing behind', async () => {
    const rows = join(folder, 'rows')
    mkdirSync(rows)
    const text = `-- MariaDB dump 10.19  Distrib 10.11\n${whole}-- Dump completed on 2026-11-30\n`
    for (let length = text.indexOf('CREATE'); length < text.indexOf('Dump completed'); length++)
      await expect(openDump(write('cut.sql', text.slice(0, length)), { folder: rows })).rejects.toThrow('The dump is not whole')
    const packed = gzipSync(text)
    await expect(openDump(write('cut.sql.gz', packed.subarray(0, -20)), { folder: rows })).rejects.toThrow('cannot be unpacked')
    await (await openDump(write('whole.sql', text), { folder: rows })).close()
    expect(readdirSync(rows)).toEqual([])
  })

  test.each([
    ['rows without the structure', 'INSERT INTO t VALUES (1);', 'not how the table is made'],
    ['two dumps', whole + whole, 'creates the table t twice'],
    ['two databases', `USE a;${createT}USE b;INSERT INTO t VALUES (1,'');`, 'two databases'],
    ['a row of another length', `${createT}INSERT INTO t VALUES (1);`, 'has 1 values for 2 columns'],
    ['an expression', `${createT}INSERT INTO t VALUES (1,NOW());`, 'an expression in place of a value'],
    ['another form', 'PGDMP\x01\x0e', 'pg_dump --format=plain'],
  ])('with %s is refused', async (_, sql, message) => {
    await expect(openDump(write('refused.sql', sql))).rejects.toThrow(message)
  })

  test('that does not exist is told to the operator', async () => {
    await expect(openDump(join(folder, 'none.sql'))).rejects.toThrow('There is no')
    mkdirSync(join(folder, 'nothing'))
    await expect(openDump(join(folder, 'nothing'))).rejects.toThrow('no file that ends in .sql')
  })
})

const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))
// Much of what means something, and a byte of GBK before it.
const nastyBytes = fc
  .array(fc.constantFrom(0x5c, 0x27, 0x22, 0, 0x0a, 0x0d, 0x1a, 0xb5, 0x81, 0xfe, 0x6e, 0x30), { maxLength: 30 })
  .map(Buffer.from)

describe('a string', () => {
  /** As mysql_real_escape_string does without a multi-byte charset. */
  function escaped(bytes: Buffer): Buffer {
    const letters: Record<number, string> = { 0: '\\0', 10: '\\n', 13: '\\r', 26: '\\Z', 34: '\\"', 39: "\\'", 92: '\\\\' }
    return Buffer.from([...bytes].map((byte) => letters[byte] ?? String.fromCharCode(byte)).join(''), 'latin1')
  }
  function dumpWith(names: string, strings: readonly Buffer[]): Buffer {
    const rows = strings.flatMap((bytes, n) => [Buffer.from(`${n > 0 ? ',' : ''}(${n},'`), bytes, Buffer.from(`')`)])
    return Buffer.concat([Buffer.from(`${names}${createT}INSERT INTO t VALUES `), ...rows, Buffer.from(';\n')])
  }

  test('escaped byte by byte comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(anyBytes, nastyBytes), { minLength: 1, maxLength: 20 }), async (values) => {
        const found = await textsIn(dumpWith('SET NAMES binary;', values.map(escaped)))
        expect(found).toEqual(values.map((bytes) => bytes.toString('latin1')))
      }),
    )
  })

  const gbkText = fc
    .array(fc.oneof(fc.constantFrom('礬', '乗', '俓', '\\', "'", '\n', 'n'), fc.string({ unit: 'grapheme', maxLength: 3 })))
    .map((parts) => iconv.encode(parts.join(''), 'gbk'))

  test('of GBK comes back, whether escaped by bytes or by characters', async () => {
    expect(iconv.encode('乗', 'gbk')[1]).toBe(0x5c)
    const byCharacters = (bytes: Buffer) =>
      Buffer.concat(
        Array.from(iconv.decode(bytes, 'gbk'), (letter) => (letter < '\x80' ? escaped(Buffer.from(letter)) : iconv.encode(letter, 'gbk'))),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(gbkText, { minLength: 1, maxLength: 10 }), async (values) => {
        const expected = values.map((bytes) => bytes.toString('latin1'))
        expect(await textsIn(dumpWith('SET NAMES gbk;', values.map(byCharacters)))).toEqual(expected)
        expect(await textsIn(dumpWith('SET NAMES binary;', values.map(escaped)))).toEqual(expected)
        // Discuz! names the charset and escapes by bytes.
        const discuz = `# Discuz! Multi-Volume Data Dump Vol.1\nSET NAMES 'gbk';\n`
        expect(await textsIn(dumpWith(discuz, values.map(escaped)))).toEqual(expected)
      }),
    )
  })

  test('longer than what is read at once comes back', async () => {
    const long = Buffer.alloc(3_000_000, "茶\\n'".repeat(10)).toString('latin1')
    const found = await textsIn(dumpWith('', [escaped(Buffer.from(long, 'latin1')), Buffer.from('short')]))
    expect(found[0] === long).toBe(true)
    expect(found[1]).toBe('short')
  })
})

describe('a dump of PostgreSQL', () => {
  const head = `--\n-- PostgreSQL database dump\n--\n\n\\restrict abc'def\n\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n`
  const create = 'CREATE TABLE public.t (\n    id integer NOT NULL,\n    a text,\n    b boolean,\n    c bytea\n);\n'
  const end = '\n--\n-- PostgreSQL database dump complete\n--\n'

  test('has rows of COPY and of INSERT', async () => {
    const copy = `COPY public.t (id, a, b, c) FROM stdin;\n1\ta\\tb\\nc\\\\.\\N\tt\t\\\\x00ff\n2\t\\N\tf\t\\N\n3\t\tt\t\n\\.\n`
    const insert = `INSERT INTO public.t VALUES (4, 'back\\slash''s', true, '\\x41');\nINSERT INTO public.t (id, a) OVERRIDING SYSTEM VALUE VALUES (5, E'e\\n');\n`
    const rows = await rowsIn(head + create + copy + insert + end, ['a', 'b', 'c'])
    expect(rows.map((row) => ['a', 'b', 'c'].map((column) => row[column]?.toString('latin1') ?? null))).toEqual([
      ['a\tb\nc\\.N', 'true', '\0ÿ'],
      [null, 'false', null],
      ['', 'true', ''],
      ["back\\slash's", 'true', 'A'],
      ['e\n', null, null],
    ])
    await expect(openDump(write('cut.sql', head + create + copy))).rejects.toThrow('lacks the line')
    await expect(openDump(write('cut.sql', head + create + copy.slice(0, -3)))).rejects.toThrow('The dump is not whole')
  })

  const sql = contractSql({ dateTime: 'timestamp without time zone', large: 'bigint' })
  testSourceTables(() => openDump(write('postgres.sql', head + sql + end)))
})
