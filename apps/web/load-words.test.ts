import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { currentWords } from '#apps/web/language.ts'
import { loadMissingWords } from '#apps/web/load-words.ts'
import { setMissingHandler, translatorFor } from '#base/web/words.tsx'
import en from '#topic/words/en.json' with { type: 'json' }

const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)
const said = (key: string) => translatorFor(currentWords.get())(key)

beforeAll(() => {
  currentWords.set({ language: 'en', messages: {} })
  loadMissingWords()
})

afterAll(() => {
  complaints.mockRestore()
  setMissingHandler((feature, key) => {
    throw new Error(`There are no words for ${feature}.${key}`)
  })
})

test('a text that is not among the first is empty at first, comes with the others, and is complained of once', async () => {
  expect([said('topic.byReply'), said('topic.byReply')]).toEqual(['', ''])
  await expect.poll(() => said('topic.byReply')).toBe(en.byReply)
  expect(complaints.mock.calls).toEqual([['There are no words for topic.byReply']])
})

test('a text that is in no catalogue is its key once all have come', async () => {
  await expect.poll(() => said('topic.byReply')).toBe(en.byReply)
  expect(said('topic.byNobody')).toBe('byNobody')
})
