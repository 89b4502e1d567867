import { describe, expect, test } from 'vitest'
import { rowsBetween, addRows, selectionFrom, removeRows, type SelectionState } from '#base/admin/selection-state.ts'

type Row = { id: string; name?: string }

const rowsOf = (...ids: string[]): Row[] => ids.map((id) => ({ id }))
const pageOf = (at: string, ...ids: string[]) => ({ narrowed: 'tea', at, rows: rowsOf(...ids) })
const none: SelectionState<Row> = { narrowed: 'tea', seenRows: new Map(), includesAll: false }
const ids = ({ seenRows }: SelectionState<Row>) => [...seenRows.keys()]

const [first, second] = [pageOf('1', 'a', 'b', 'c'), pageOf('2', 'd', 'e')]

describe('a selection', () => {
  test('stays over the pages of a list, and ends when it is narrowed in another way', () => {
    const selection = addRows(second, selectionFrom(second, addRows(first, none, rowsOf('a', 'c'))), rowsOf('e'))
    expect(ids(selectionFrom(first, selection))).toEqual(['a', 'c', 'e'])
    expect(ids(removeRows(first, selectionFrom(first, selection), rowsOf('a')))).toEqual(['c', 'e'])
    expect(ids(selectionFrom({ ...first, narrowed: 'coffee' }, selection))).toEqual([])
  })

  test('is dropped if it is gone from its page, and not if it is on another', () => {
    const selection = addRows(second, addRows(first, none, rowsOf('a', 'b')), rowsOf('d'))
    expect(ids(selectionFrom(pageOf('1', 'b', 'c'), selection))).toEqual(['b', 'd'])
  })

  test('has the current row, and not the one of the moment of selecting', () => {
    const selection = addRows(first, none, rowsOf('a'))
    const now = { ...first, rows: [{ id: 'a', name: 'Mended' }] }
    expect(selectionFrom(now, selection).seenRows.get('a')?.row).toEqual({ id: 'a', name: 'Mended' })
  })

  test('has all matches until a row is removed from it, and then the seen ones', () => {
    const all: SelectionState<Row> = { narrowed: 'tea', seenRows: new Map(), includesAll: true }
    expect([selectionFrom(second, all).includesAll, ids(selectionFrom(second, all))]).toEqual([true, ['d', 'e']])
    const fewer = removeRows(second, selectionFrom(second, all), rowsOf('d'))
    expect([fewer.includesAll, ids(fewer)]).toEqual([false, ['e']])
  })

  test('reaches from one row to another on the same page', () => {
    const reached = (id: string, other: string | null) => rowsBetween(first.rows, id, other).map((row) => row.id)
    expect(reached('c', 'a')).toEqual(['a', 'b', 'c'])
    expect(reached('a', 'b')).toEqual(['a', 'b'])
    for (const far of [null, 'e']) expect(reached('b', far)).toEqual(['b'])
  })
})
