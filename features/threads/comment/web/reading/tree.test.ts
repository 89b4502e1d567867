import { expect, test } from 'vitest'
import type { CommentView, ReplyView } from '#comment/contract.ts'
import { dateAt } from '#comment/web/reading/dates.ts'
import { answersUnder, treeOf, type Branch } from '#comment/web/reading/tree.ts'

function comment(floor: number, quotes?: number): CommentView {
  const quote = quotes === undefined ? null : { commentId: String(quotes), floor: quotes, author: null, text: '', isDeleted: false }
  return { id: String(floor), floor, quote } as CommentView
}

function reply(id: string, answers?: string): ReplyView {
  return { id, answers: answers === undefined ? null : { replyId: answers, author: null } } as ReplyView
}

type Shape = [number, ...Shape[]]
const shapeOf = ({ comment: { floor }, under }: Branch): Shape => [floor, ...under.map(shapeOf)]

test('each comment is under the one it quotes, and every one is in the tree', () => {
  const comments = [comment(1), comment(2, 1), comment(3), comment(4, 2), comment(5, 1), comment(6, 99)]
  expect(treeOf(comments).map(shapeOf)).toEqual([[1, [2, [4]], [5]], [3], [6]])
})

test('with the newest first, the tree is the same with its roots turned around', () => {
  const comments = [comment(4, 2), comment(3), comment(2, 1), comment(1)]
  expect(treeOf(comments).map(shapeOf)).toEqual([[3], [1, [2, [4]]]])
})

test('replies follow the reply they answer, indented to a limit', () => {
  const replies = [
    reply('a'),
    reply('b'),
    reply('c', 'a'),
    reply('d', 'c'),
    reply('e', 'gone'),
    reply('f', 'd'),
    reply('g', 'f'),
    reply('h', 'g'),
  ]
  expect(answersUnder(replies).map(({ reply: { id }, depth }) => `${id}${depth}`)).toEqual(['a0', 'c1', 'd2', 'f3', 'g4', 'h4', 'b0', 'e0'])
})

test('a floor between two floors with known dates was written between them', () => {
  const marks = [
    { floor: 1, at: '2026-01-01T00:00:00.000Z' },
    { floor: 101, at: '2026-01-11T00:00:00.000Z' },
  ]
  expect(dateAt(marks, 1)?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(dateAt(marks, 51)?.toISOString()).toBe('2026-01-06T00:00:00.000Z')
  expect(dateAt(marks, 500)?.toISOString()).toBe('2026-01-11T00:00:00.000Z')
  expect(dateAt([], 5)).toBeNull()
})
