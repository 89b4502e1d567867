import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { Page } from '#assistant/admin/models-page.tsx'
import en from '#assistant/admin/words/en.json' with { type: 'json' }
import zh from '#assistant/admin/words/zh.json' with { type: 'json' }
import type { ModelRow } from '#assistant/staff-contract.ts'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext } from '#base/web/api.ts'
import { WordsProvider } from '#base/web/words.tsx'
import admin from '#base/words/admin/en.json' with { type: 'json' }
import base from '#base/words/base/en.json' with { type: 'json' }
import call from '#base/words/call/en.json' with { type: 'json' }

const model: ModelRow = {
  id: '1',
  name: 'Qwen',
  protocol: 'openai',
  address: 'https://models.example/v1',
  model: 'qwen',
  hasKey: true,
  jobs: ['chat'],
  isEnabled: true,
  isStandIn: false,
  sort: 0,
  version: 1,
  contextTokens: 32_000,
  inputPrice: 0,
  cachedPrice: 0,
  outputPrice: 0,
  refusedParts: [],
  failure: null,
  restsUntil: null,
}

test('a model that refuses parts of requests says so in its row, and no other does', () => {
  const refuses = { ...model, refusedParts: ['max_tokens', 'tools'] } as const
  expect(page({ ...refuses, refusedParts: [...refuses.refusedParts] })).toMatch(/Asked without: Output limit \(max_tokens\)\s?Tools: /)
  expect(page({ ...refuses, refusedParts: [...refuses.refusedParts] }, 'zh')).toContain('请求时略去： 输出上限（max_tokens）')
  expect(page(model)).toContain('Qwen')
  expect(page(model)).not.toContain('Asked without')
})

function page(row: ModelRow, language: 'en' | 'zh' = 'en'): string {
  vi.stubGlobal('location', { search: '' })
  const data = { models: [row], isOn: true, canStandIn: false }
  const router = createMemoryRouter([{ id: 'models', path: '/', loader: () => data, element: <Page /> }], {
    hydrationData: { loaderData: { models: data } },
  })
  const html = renderToString(
    <ApiContext value={{} as never}>
      <WordsProvider language={language} messages={messagesOf({ admin, base, call, assistantAdmin: language === 'zh' ? zh : en })}>
        <RouterProvider router={router} />
      </WordsProvider>
    </ApiContext>,
  )
  return html.replace(/<[^>]*>/g, '')
}
