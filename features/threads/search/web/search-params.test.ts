import { expect, test } from 'vitest'
import { parseSearchParams, equivalentList } from '#search/web/search-params.ts'

const paramsOf = (query: string) => {
  const { keyword, kind } = parseSearchParams(new URLSearchParams(query), 1, undefined)
  return [keyword, kind]
}

test('operators in the typed query narrow a search as its form does', () => {
  expect(paramsOf('keyword=is:resolved kettle')).toEqual(['kettle', 'resolved'])
  expect(paramsOf('keyword=kettle IS:Question lid&kind=comment')).toEqual(['kettle lid', 'question'])
  expect(paramsOf('keyword=is:topic is:unresolved')).toEqual(['', 'unresolved'])
  expect(paramsOf('keyword=kettle has:bounty')).toEqual(['kettle', 'bounty'])
  expect(paramsOf('keyword=kettle&kind=resolved')).toEqual(['kettle', 'resolved'])
})

test('questions of one kind without a word to look for are a list that there is', () => {
  const listed = (query: string, tagId?: string) => equivalentList(parseSearchParams(new URLSearchParams(query), 1, tagId))
  expect(listed('keyword=is:resolved')).toBe('/askList?state=resolved')
  expect(listed('keyword=has:bounty')).toBe('/askList?bounty=any')
  expect(listed('keyword=is:unresolved', '7')).toBe('/askList?state=unresolved&tagId=7')
  expect(listed('keyword=is:question')).toBe('/askList')
  for (const query of [
    '',
    'keyword=is:topic',
    'keyword=is:resolved kettle',
    'keyword=is:resolved&author=lin',
    'keyword=is:resolved&within=day',
  ])
    expect(listed(query)).toBeNull()
})

test('words that only look like it are looked for', () => {
  expect(paramsOf('keyword=this:question is:nice is:questions')).toEqual(['this:question is:nice is:questions', 'all'])
})
