import { expect, test } from 'vitest'
import { filterTree, sortedBy, type ShortListColumn } from '#base/admin/filter-tree.ts'

type Tea = { id: string; parentId: string | null; name: string; age: string }
const columns: ShortListColumn<Tea>[] = [
  { label: 'Name', text: ({ name }) => name, isSortable: true },
  { label: 'Age', text: ({ age }) => age, isSortable: true },
]
const teas: Tea[] = [
  { id: '1', parentId: null, name: 'Green 绿茶', age: '9' },
  { id: '2', parentId: '1', name: 'Longjing', age: '10' },
  { id: '3', parentId: null, name: 'Dark', age: '2' },
  { id: '4', parentId: '3', name: 'Pu-erh', age: '40' },
]
const ids = (found: readonly Tea[]) => found.map(({ id }) => id).join('')

test('a tree is filtered by every typed word, with the parents and children of its matches', () => {
  expect(['', '  ', 'longj', '绿', 'PUERH', 'green 9', 'green 10', 'oolong'].map((typed) => ids(filterTree(teas, columns, typed)))).toEqual(
    ['1234', '1234', '12', '12', '34', '12', '', ''],
  )
})

test('they are sorted as people read, numbers by size', () => {
  expect([ids(sortedBy(teas, columns[1], false)), ids(sortedBy(teas, columns[1], true)), ids(sortedBy(teas, undefined, true))]).toEqual([
    '3124',
    '4213',
    '1234',
  ])
})
