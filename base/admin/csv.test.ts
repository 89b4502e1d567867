import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv, inLocalZone } from '#base/admin/csv.ts'

test.each(['=1+1', '+86', '-2+3', '@SUM(A1)', '\t=1', ' =1', '\r\n=cmd|calc', '＝1', '\u0001=1'])(
  'a cell cannot become a formula: %j',
  (text) => {
    expect(read(toCsv([[text]]))).toEqual([[`'${text}`]])
  },
)

test('numbers stay numbers, the ones below nought too', () => {
  expect(toCsv([['-5', '3.2', '2026-11-21']])).toBe('\ufeff-5,3.2,2026-11-21\r\n')
})

test.each([
  ['Asia/Shanghai', '2026-11-22 08:30:05+08:00'],
  ['America/St_Johns', '2026-11-21 21:00:05-03:30'],
  ['UTC', '2026-11-22 00:30:05+00:00'],
])('a moment is in the time zone of the downloader: %s', (zone, text) => {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  expect(inLocalZone('2026-11-22T00:30:05.123Z')).toBe(text)
  expect(new Date(inLocalZone('2026-11-22T00:30:05Z')).getTime()).toBe(Date.UTC(2026, 10, 22, 0, 30, 5))
  expect(inLocalZone('on 2026-11-22T00:30:05Z')).toBe('on 2026-11-22T00:30:05Z')
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test('any text in the cells is read back unchanged', () => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !/^[\s\p{C}]*[=+\-@＝＋－＠]/u.test(one))
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      expect(read(toCsv(rows))).toEqual(rows)
    }),
  )
})

// As in RFC 4180.
function read(csv: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of csv.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
