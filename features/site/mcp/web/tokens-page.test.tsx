import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { WordsProvider } from '#base/web/words.tsx'
import type { TokenView } from '#mcp/contract.ts'
import { Page } from '#mcp/web/tokens-page.tsx'
import en from '#mcp/words/en.json' with { type: 'json' }
import zh from '#mcp/words/zh.json' with { type: 'json' }

const token: TokenView = {
  id: '1',
  name: 'Notes',
  scopes: ['read'],
  createdAt: '2026-10-28T08:00:00.000Z',
  expiresAt: '2026-11-28T08:00:00.000Z',
  isExpired: true,
  lastUsedAt: null,
}

test('a member’s tokens are under a heading of their own, below the form', () => {
  expect(page([token])).toMatch(/Create token<.*<h2>Your tokens<\/h2><ul.*Notes/s)
  expect(page([token], 'zh')).toMatch(/创建令牌<.*<h2>我的令牌<\/h2><ul.*Notes/s)
  expect(page([])).toMatch(/<h2>Your tokens<\/h2>.*No tokens yet/s)
  expect(page([], 'en', false)).not.toContain('<h2>')
})

function page(tokens: readonly TokenView[], language: 'en' | 'zh' = 'en', isOpen = true): string {
  const data = { tokens, address: 'https://tea.example/mcp', isOpen }
  const router = createMemoryRouter([{ id: 'tokens', path: '/', loader: () => data, element: <Page /> }], {
    hydrationData: { loaderData: { tokens: data } },
  })
  return renderToString(
    <ApiContext value={{} as never}>
      <WordsProvider language={language} messages={messagesOf({ mcp: language === 'zh' ? zh : en })}>
        <RouterProvider router={router} />
      </WordsProvider>
    </ApiContext>,
  )
}
