import { describe, expect, test } from 'vitest'
import { between, including, seenFrom, without, type SelectionState } from '#base/admin/selected.ts'

type Row = { id: string; name?: string }

const rowsOf = (...ids: string[]): Row[] => ids.map((id) => ({ id }))
const pageOf = (at: string, ...ids: string[]) => ({ narrowed: 'tea', at, rows: rowsOf(...ids) })
const none: SelectionState<Row> = { narrowed: 'tea', seen: new Map(), isAll: false }
const ids = ({ seen }: SelectionState<Row>) => [...seen.keys()]

const [first, second] = [pageOf('1', 'a', 'b', 'c'), pageOf('2', 'd', 'e')]

describe('what is selected', () => {
  test('stays over the pages of a list, and ends when it is narrowed in another way', () => {
    const held = including(second, seenFrom(second, including(first, none, rowsOf('a', 'c'))), rowsOf('e'))
    expect(ids(seenFrom(first, held))).toEqual(['a', 'c', 'e'])
    expect(ids(without(first, seenFrom(first, held), rowsOf('a')))).toEqual(['c', 'e'])
    expect(ids(seenFrom({ ...first, narrowed: 'coffee' }, held))).toEqual([])
  })

  test('is dropped where it is gone from the page it was on, and not where it lies on another', () => {
    const held = including(second, including(first, none, rowsOf('a', 'b')), rowsOf('d'))
    expect(ids(seenFrom(pageOf('1', 'b', 'c'), held))).toEqual(['b', 'd'])
  })

  test('is what it is now, and not what it was when it was selected', () => {
    const held = including(first, none, rowsOf('a'))
    const now = { ...first, rows: [{ id: 'a', name: 'Mended' }] }
    expect(seenFrom(now, held).seen.get('a')?.row).toEqual({ id: 'a', name: 'Mended' })
  })

  test('is all that match until one takes a row out of it, and then what one saw', () => {
    const all: SelectionState<Row> = { narrowed: 'tea', seen: new Map(), isAll: true }
    expect([seenFrom(second, all).isAll, ids(seenFrom(second, all))]).toEqual([true, ['d', 'e']])
    const fewer = without(second, seenFrom(second, all), rowsOf('d'))
    expect([fewer.isAll, ids(fewer)]).toEqual([false, ['e']])
  })

  test('reaches from one row to another on the same page', () => {
    const reached = (id: string, other: string | null) => between(first.rows, id, other).map((row) => row.id)
    expect(reached('c', 'a')).toEqual(['a', 'b', 'c'])
    expect(reached('a', 'b')).toEqual(['a', 'b'])
    for (const far of [null, 'e']) expect(reached('b', far)).toEqual(['b'])
  })
})
