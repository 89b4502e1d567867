import { expect, test } from 'vitest'
import { disputeReason } from '#payment/admin/disputes-page.tsx'
import { disputeReasons } from '#payment/staff-views.ts'
import en from './words/en.json' with { type: 'json' }
import zh from './words/zh.json' with { type: 'json' }

const sayIn = (words: Record<string, string>) => (reason: string) => disputeReason(reason, (key) => words[key] ?? `no word: ${key}`)

test('a reason for a dispute is in the language of the page, and one that nobody knows yet as the provider gave it', () => {
  for (const reason of disputeReasons) {
    expect(sayIn(en)(reason)).toMatch(/^[A-Z][a-z]/)
    expect(sayIn(zh)(reason)).toMatch(/^\p{Script=Han}/u)
  }
  expect(sayIn(zh)('toString')).toBe('toString')
  expect(sayIn(zh)('asked_by_the_bank')).toBe('asked_by_the_bank')
})
