import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { Page } from '#account/web/login-log-page.tsx'
import en from '#account/words/en.json' with { type: 'json' }
import zh from '#account/words/zh.json' with { type: 'json' }
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { translatorFor, WordsProvider } from '#base/web/words.tsx'
import base from '#base/words/base/en.json' with { type: 'json' }
import region from '#base/words/region/en.json' with { type: 'json' }

const messages = { en: messagesOf({ base, region, account: en }), zh: messagesOf({ base, region, account: zh }) }

test('access tokens are mentioned if there are some, as a result of signing out other devices', () => {
  expect(page(2)).toContain('Signing out your other devices also revokes all your access tokens.')
  expect(page(2, 'zh')).toContain('退出其他设备时，你的访问令牌也会全部失效。')
  expect(page(0)).not.toContain('tokens')
  const translate = {
    en: translatorFor({ language: 'en', messages: messages.en }),
    zh: translatorFor({ language: 'zh', messages: messages.zh }),
  }
  expect(translate.en('account.othersEnded', { tokens: 0 })).not.toContain('token')
  expect(translate.en('account.othersEnded', { tokens: 1 })).toContain('access tokens')
  expect(translate.zh('account.othersEnded', { tokens: 0 })).not.toContain('令牌')
  expect(translate.zh('account.othersEnded', { tokens: 1 })).toContain('访问令牌')
})

test('a password is changed or recovered by members with tokens and without: the pages say “any”', () => {
  for (const key of ['changePasswordWhat', 'passwordChanged', 'newPasswordWhat'] as const) {
    expect(en[key]).toMatch(/any access tokens/i)
    expect(zh[key]).toMatch(/如果创建过访问令牌|原有的访问令牌/)
  }
})

function page(tokens: number, language: 'en' | 'zh' = 'en'): string {
  const data = { log: { entries: [], page: 1, pages: 1, total: 0 }, devices: { sessions: [], tokens } }
  const router = createMemoryRouter([{ id: 'log', path: '/', loader: () => data, element: <Page /> }], {
    hydrationData: { loaderData: { log: data } },
  })
  return renderToString(
    <ApiContext value={{} as never}>
      <WordsProvider language={language} messages={messages[language]}>
        <RouterProvider router={router} />
      </WordsProvider>
    </ApiContext>,
  )
}
