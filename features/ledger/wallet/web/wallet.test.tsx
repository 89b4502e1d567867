import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { WordsProvider } from '#base/web/words.tsx'
import { subjectPath } from '#wallet/web/log.tsx'
import { Available } from '#wallet/web/available.tsx'
import { Amount, amountText, Balances } from '#wallet/web/wallet.tsx'
import en from '#wallet/words/en.json' with { type: 'json' }
import zh from '#wallet/words/zh.json' with { type: 'json' }

test('an amount is written as the reader writes it, to the last cent', () => {
  expect(textOf(<Amount of="1234567.50" currency="cny" />)).toBe('¥1,234,567.50')
  expect(textOf(<Amount of="1234567.50" currency="cny" />, 'zh')).toBe('¥1,234,567.50')
  expect(textOf(<Amount of="-0.10" currency="cny" isMove />)).toBe('-¥0.10')
  expect(textOf(<Amount of="5" currency="points" isMove />, 'zh')).toBe('+5')
  expect(textOf(<Amount of="-12000" currency="points" isMove />)).toBe('-12,000')
  expect(amountText('9999999999999.99', 'cny', 'en')).toBe('¥9,999,999,999,999.99')
})

test('a balance links to its history, and a member without one has no link', () => {
  const points = { balance: '20', owed: '0', coming: '0' }
  const both = page(<Balances has={{ points, cny: { balance: '3.20', owed: '0.00', coming: '0.00' } }} />)
  expect(both).toContain('href="/user/control/balance"')
  const alone = page(<Balances has={{ points, cny: null }} />)
  expect(alone).toContain('href="/user/control/point"')
  expect(alone).not.toContain('balance')
})

test('the pending shares of red envelopes stand beside the balance', () => {
  const points = { balance: '20', owed: '0', coming: '1' }
  const both = page(<Balances has={{ points, cny: { balance: '3.20', owed: '0.00', coming: '0.88' } }} />)
  expect(both).toContain('Pending: 1 point (red envelope)')
  expect(both).toContain('Pending: ¥0.88 (red envelope)')
  expect(page(<Balances has={{ points: { ...points, coming: '0' }, cny: null }} />)).not.toContain('Pending')
})

test('the available balance is what can be spent, with the rest beside it', () => {
  const text = (language: 'en' | 'zh') => textOf(<Available balance="488.00" unspendable="300.00" />, language)
  expect(text('zh')).toMatch(/^¥188\.00可用余额（元）.*¥488\.00.*¥300\.00/)
  expect(text('en')).toMatch(/^¥188\.00Available balance \(CNY\).*¥488\.00.*¥300\.00/)
  expect(textOf(<Available balance="488.00" unspendable="0.00" />)).toBe('¥488.00Available balance (CNY)')
})

test('the way to a post leads to its very place', () => {
  const reply = { kind: 'reply', id: '9', topicId: '4', commentId: '7', title: 'On rain' } as const
  expect(subjectPath({ ...reply, threadKind: 'topic' })).toBe('/thread?topicId=4&commentId=7&replyId=9')
  expect(subjectPath({ ...reply, kind: 'topic', id: '4', commentId: null, threadKind: 'question' })).toBe('/question?questionId=4')
})

function page(children: ReactNode, language: 'en' | 'zh' = 'en'): string {
  const router = createMemoryRouter([{ path: '/', element: children }])
  return renderToString(
    <WordsProvider language={language} messages={messagesOf({ wallet: language === 'zh' ? zh : en })}>
      <RouterProvider router={router} />
    </WordsProvider>,
  )
}

function textOf(children: ReactNode, language: 'en' | 'zh' = 'en'): string {
  return page(children, language).replace(/<[^>]*>/g, '')
}
