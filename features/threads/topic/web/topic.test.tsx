import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { ApiContext, type BrowserApi } from '#base/web/api.ts'
import { WordsProvider } from '#base/web/words.tsx'
import { TopicRow } from '#topic/web/topic.tsx'
import en from '#topic/words/en.json' with { type: 'json' }
import zh from '#topic/words/zh.json' with { type: 'json' }

const author = { id: '7', name: '林小雨', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
const topic = {
  id: '3',
  kind: 'topic' as const,
  questionState: null,
  title: 'On rain',
  summary: 'It rains.',
  pictures: [],
  locks: [],
  author,
  place: { id: '2', key: 'talk', name: { zh: '闲聊', en: 'Small talk' }, isRestricted: false, parent: null },
  publishedAt: '2026-03-01T09:00:00Z',
  lastReplyAt: null,
  lastReplyBy: null,
  viewCount: 0,
  commentCount: 0,
  isPinned: false,
  isFeatured: false,
  isClosed: false,
  isPending: false,
  hasEnvelope: false,
  aiLabel: null,
}

test.each([
  ['en', 0, '0', '0 comments and replies'],
  ['en', 1, '1', '1 comment'],
  ['en', 1_234, '1,234', '1,234 comments and replies'],
  ['zh', 0, '0', '0 条评论和回复'],
  ['zh', 1_234, '1,234', '1,234 条评论和回复'],
] as const)('how many responded is named by the number that is shown, in %s: %i', (language, commentCount, text, named) => {
  expect(countIn(row(language, { ...topic, commentCount }))).toEqual([named, text])
})

// A row makes no calls while it renders.
const nowhere = {} as BrowserApi

function row(language: 'en' | 'zh', of: typeof topic): string {
  const router = createMemoryRouter([{ id: 'site', path: '/', loader: () => null, element: <TopicRow topic={of} /> }], {
    hydrationData: { loaderData: { site: { showsExcerpts: true } } },
  })
  return renderToString(
    <WordsProvider language={language} messages={messagesOf({ topic: language === 'zh' ? zh : en })}>
      <ApiContext value={nowhere}>
        <RouterProvider router={router} />
      </ApiContext>
    </WordsProvider>,
  )
}

function countIn(html: string): string[] {
  return /aria-label="([^"]*)"[^>]*><svg.*?<\/svg>([\d,]+)</.exec(html)?.slice(1) ?? []
}
