import { expect, test } from 'vitest'
import { receivedText } from '#payment/admin/events-page.tsx'
import { disputeReason, disputeStatus } from '#payment/admin/disputes-page.tsx'
import { disputeReasons, disputeStatuses } from '#payment/staff-views.ts'
import en from './words/en.json' with { type: 'json' }
import zh from './words/zh.json' with { type: 'json' }

const wordIn = (words: Record<string, string>) => (key: string) => words[key] ?? `no word: ${key}`
const sayIn = (words: Record<string, string>) => (reason: string) => disputeReason(reason, wordIn(words))

test('the reason of a dispute is in the language of the page, an unknown one as the provider gave it', () => {
  for (const reason of disputeReasons) {
    expect(sayIn(en)(reason)).toMatch(/^[A-Z][a-z]/)
    expect(sayIn(zh)(reason)).toMatch(/^\p{Script=Han}/u)
  }
  expect(sayIn(zh)('toString')).toBe('toString')
  expect(sayIn(zh)('asked_by_the_bank')).toBe('asked_by_the_bank')
})

test('the status of a dispute is in the language of the page, an unknown one as the provider gave it', () => {
  for (const status of disputeStatuses) {
    expect(disputeStatus(status, wordIn(en))).toMatch(/^[A-Z][a-z]/)
    expect(disputeStatus(status, wordIn(zh))).toMatch(/^\p{Script=Han}/u)
  }
  expect(disputeStatus('in_mediation', wordIn(zh))).toBe('in_mediation')
})

test('an amount that the provider does not name is shown as such, and an event without money has none', () => {
  const refund = { kind: 'refund', currency: 'CNY' } as const
  expect(receivedText({ ...refund, amount: '5.00' }, wordIn(en))).toBe('5.00 CNY')
  expect(receivedText({ ...refund, amount: null }, wordIn(en))).toBe('Not stated')
  expect(receivedText({ ...refund, amount: null }, wordIn(zh))).toBe('未说明')
  expect(receivedText({ kind: 'other', amount: null, currency: null }, wordIn(zh))).toBe('')
})
