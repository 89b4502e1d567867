import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { WordsProvider } from '#base/web/words.tsx'
import { Sessions } from '#member/admin/sessions.tsx'
import en from '#member/admin/words/en.json' with { type: 'json' }
import zh from '#member/admin/words/zh.json' with { type: 'json' }
import type { Member } from '#member/contract.ts'

const token = {
  id: '1',
  name: 'Notes',
  mayWrite: false,
  madeAt: '2026-10-28T08:00:00.000Z',
  expiresAt: '2026-11-28T08:00:00.000Z',
  lastUsedAt: null,
}

test('a token that has expired says when it did, and another one until when it is valid', () => {
  expect(page({ ...token, isExpired: true }, 'zh')).toMatch(/Notes 已过期可读取 · 过期于 .*2026/)
  expect(page({ ...token, isExpired: false }, 'zh')).toMatch(/Notes 可读取 · 有效期至 .*2026/)
  expect(page({ ...token, isExpired: true }, 'en')).toMatch(/reads · expired .*2026/)
  expect(page({ ...token, isExpired: false }, 'en')).toMatch(/reads · until .*2026/)
})

function page(one: Member['tokens'][number], language: 'en' | 'zh'): string {
  const member = { id: '7', account: 'mei', nickname: null, sessions: [], tokens: [one], isOfficial: false } as unknown as Member
  const router = createMemoryRouter([{ path: '/', element: <Sessions member={member} /> }])
  const html = renderToString(
    <ApiContext value={{} as never}>
      <WordsProvider language={language} messages={messagesOf({ memberAdmin: language === 'zh' ? zh : en })}>
        <RouterProvider router={router} />
      </WordsProvider>
    </ApiContext>,
  )
  return html.replace(/<[^>]*>/g, '')
}
