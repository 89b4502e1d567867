import { expect, test } from 'vitest'
import { targetOf } from '#importer/server/flarum/addresses.ts'

const rules = { users: 'name', 'tag/tea': '2', 'tag/动力': '3' }
const at = (path: string, users = 'name') => targetOf(new URL(path, 'http://localhost/'), { ...rules, users })

test.each([
  ['/d/12-some-slug/8', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-some-slug', { to: 'thread', id: '12' }],
  ['/d/12', { to: 'thread', id: '12' }],
  ['/d/12/8', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-/8', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-%E8%8C%B6-7/8', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-slug/8/', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-slug?near=8', { to: 'thread', id: '12', number: 8 }],
  ['/d/12-slug/reply', { to: 'thread', id: '12' }],
  ['/d/12-slug?page=3', { to: 'thread', id: '12', place: 40 }],
  ['/forum/d/12-slug/8', { to: 'thread', id: '12', number: 8 }],
  ['/t/tea', { to: 'tag', id: '2' }],
  ['/t/tea?sort=top', { to: 'tag', id: '2' }],
  // flarum/framework #3429, #3588
  ['/t/%E5%8A%A8%E5%8A%9B', { to: 'tag', id: '3' }],
  ['/t/gone', null],
  ['/u/Ann', { to: 'name', id: 'Ann' }],
  ['/u/Ann/discussions', { to: 'name', id: 'Ann' }],
  ['/u/%E8%80%81%E9%99%88', { to: 'name', id: '老陈' }],
  ['/assets/files/2024-05-01/1-2-cup.png', { to: 'file', id: '2024-05-01/1-2-cup.png' }],
  ['/assets/avatars/ann.png', null],
  ['/d/one', null],
  ['/d/0-slug', null],
  ['/d/12x', null],
  ['/d/%E8%8C', null],
  ['/all', null],
  ['/', null],
])('%s leads to %j', (path, target) => {
  expect(at(path)).toEqual(target)
})

test('members stand with their ids where the forum is set so', () => {
  expect(at('/u/5', 'id')).toEqual({ to: 'member', id: '5' })
  expect(at('/u/Ann', 'id')).toBeNull()
})

test('a slug that is a property of all objects is no tag', () => {
  expect(at('/t/constructor')).toBeNull()
})
