import { expect, test } from 'vitest'
import { elsewhere } from '#base/web/share.ts'

const origin = 'https://tea.example.org'

test.each([
  ['![A cup](file:f_a-1#800x450)', '![A cup](https://tea.example.org/file/f_a-1)'],
  ['![a\\]b](file:f_a#8x4)', '![a\\]b](https://tea.example.org/file/f_a)'],
  ['![notes.pdf](file:f_b#1200)', '[notes.pdf](https://tea.example.org/file/f_b)'],
  ['Ask @[林夕](member:7) first', 'Ask [@林夕](https://tea.example.org/user/control/home?userId=7) first'],
  ['[#3](/thread?topicId=1&commentId=3)', '[#3](https://tea.example.org/thread?topicId=1&commentId=3)'],
  ['[a link](https://a.example) and `code`', '[a link](https://a.example) and `code`'],
])('%s is, elsewhere, %s', (ours, theirs) => {
  expect(elsewhere(ours, origin)).toBe(theirs)
})
