import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryParameter, withoutQuery } from '#base/query-string.ts'

test.each([
  ['/thread?topicId=7#floor-2', '/thread', '7'],
  ['/thread#floor?topicId=7', '/thread', null],
  ['https://example.org/a?b=c?topicId=7', 'https://example.org/a', null],
  ['/thread?topicId=&topicId=8', '/thread', ''],
  ['/thread?topicid=7', '/thread', null],
  ['/search?q=%E8%8C%B6&topicId=a+b%26c', '/search', 'a b&c'],
  ['', '', null],
])('%s', (url, path, topicId) => {
  expect(withoutQuery(url)).toBe(path)
  expect(queryParameter(url, 'topicId')).toBe(topicId)
})

test('any parameter is read back as it was written, and nothing of it stays in the path', () => {
  fc.assert(
    fc.property(
      fc.webPath(),
      fc.array(fc.tuple(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 5 }),
      (path, parameters) => {
        const query = new URLSearchParams(parameters)
        const url = `${path}?${query}#${path}`
        expect(withoutQuery(url)).toBe(path)
        for (const [name] of parameters) expect(queryParameter(url, name)).toBe(query.get(name))
        expect(queryParameter(url, 'a name that is not there')).toBeNull()
      },
    ),
  )
})
