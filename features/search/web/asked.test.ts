import { expect, test } from 'vitest'
import { askedIn } from '#search/web/asked.ts'

const asked = (query: string) => {
  const { keyword, kind } = askedIn(new URLSearchParams(query), 1, undefined)
  return [keyword, kind]
}

test('what one types narrows a search as its form does', () => {
  expect(asked('keyword=is:resolved kettle')).toEqual(['kettle', 'resolved'])
  expect(asked('keyword=kettle IS:Question lid&kind=comment')).toEqual(['kettle lid', 'question'])
  expect(asked('keyword=is:topic is:unresolved')).toEqual(['', 'unresolved'])
  expect(asked('keyword=kettle&kind=resolved')).toEqual(['kettle', 'resolved'])
})

test('words that only look like it are looked for', () => {
  expect(asked('keyword=this:question is:nice is:questions')).toEqual(['this:question is:nice is:questions', 'all'])
})
