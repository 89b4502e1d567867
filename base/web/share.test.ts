import { expect, test } from 'vitest'
import { shareCardPath, weiboShareUrl } from '#base/web/share-card-path.ts'
import { absoluteMarkdown } from '#base/web/share.ts'

const origin = 'https://tea.example.org'

test.each([
  ['![A cup](file:f_a-1#800x450)', '![A cup](https://tea.example.org/file/f_a-1)'],
  ['![a\\]b](file:f_a#8x4)', '![a\\]b](https://tea.example.org/file/f_a)'],
  ['![notes.pdf](file:f_b#1200)', '[notes.pdf](https://tea.example.org/file/f_b)'],
  ['Ask @[林夕](member:7) first', 'Ask [@林夕](https://tea.example.org/user/control/home?userId=7) first'],
  ['[#3](/thread?topicId=1&commentId=3)', '[#3](https://tea.example.org/thread?topicId=1&commentId=3)'],
  ['[a link](https://a.example) and `code`', '[a link](https://a.example) and `code`'],
])('%s is, elsewhere, %s', (ours, theirs) => {
  expect(absoluteMarkdown(ours, origin)).toBe(theirs)
})

test.each([
  ['/thread?topicId=42', '/share/42/card.png?language=zh'],
  ['/question?questionId=42', '/share/42/card.png?language=zh'],
  ['/thread?topicId=42&commentId=7', '/share/42/card.png?language=zh&commentId=7'],
])('the card of %s is at %s', (path, src) => {
  expect(shareCardPath(path, 'zh')).toBe(src)
})

test('Weibo gets the title and the address, with any characters', () => {
  const { searchParams, origin: to } = new URL(weiboShareUrl('Tea & 茶 #1', `${origin}/thread?topicId=1&commentId=2`))
  expect(to).toBe('https://service.weibo.com')
  expect(Object.fromEntries(searchParams)).toEqual({ title: 'Tea & 茶 #1', url: `${origin}/thread?topicId=1&commentId=2` })
})
