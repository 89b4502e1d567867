import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messagesOf } from '#base/testing/messages.ts'
import { reportMissing, setMissingHandler, useWords, WordsProvider } from '#base/web/words.tsx'

const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)

beforeEach(() => complaints.mockClear())
afterAll(() => complaints.mockRestore())
afterEach(() => {
  setMissingHandler((feature, key) => {
    throw new Error(`There are no words for ${feature}.${key}`)
  })
})

function Tabs() {
  const words = useWords('teapot')
  return (
    <nav>
      <a href="/index?sort=reply">{words('byReply')}</a> <a href="/index?sort=new">{words('byTime')}</a>
    </nav>
  )
}

const render = () =>
  renderToString(
    <WordsProvider language="en" messages={messagesOf({ teapot: { byTime: 'Newest' } })}>
      <Tabs />
    </WordsProvider>,
  )

test('a text that is missing is an error in tests and in development', () => {
  expect(render).toThrow('There are no words for teapot.byReply')
})

test('a missing text is its key, is reported once, and the rest of the page works', () => {
  setMissingHandler(reportMissing)
  for (const _ of ['first', 'again'])
    expect(render()).toBe('<nav><a href="/index?sort=reply">byReply</a> <a href="/index?sort=new">Newest</a></nav>')
  expect(complaints.mock.calls).toEqual([['There are no words for teapot.byReply']])
})
