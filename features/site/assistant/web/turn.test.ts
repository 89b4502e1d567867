import { expect, test } from 'vitest'
import { newTurn, withPiece } from '#assistant/web/turn.ts'

test('text that turns out to be thoughts is taken back, and the text of an earlier stream stays', () => {
  const turn = { ...newTurn('How hot?'), answer: 'First half,', answerBefore: 'First half,' }
  const said = withPiece(turn, { kind: 'text', text: ' hmm' })
  expect(said.answer).toBe('First half, hmm')
  expect(withPiece(said, { kind: 'restart' }).answer).toBe('First half,')
})

test('a reader sees that the model is busy, until it answers', () => {
  const waiting = withPiece(newTurn('How hot?'), { kind: 'waiting' })
  expect(waiting.isWaiting).toBe(true)
  expect(withPiece(waiting, { kind: 'text', text: 'Hot.' }).isWaiting).toBe(false)
  expect(withPiece(waiting, { kind: 'looking', text: 'tea' }).isWaiting).toBe(false)
})
