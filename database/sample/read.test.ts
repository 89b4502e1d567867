import { expect, test } from 'vitest'
import { readSample } from './read.ts'
import { languageOf, readTopic } from './topic-file.ts'

const sample = readSample()
const questions = sample.topics.filter((topic) => topic.asks)
const comments = sample.topics.flatMap((topic) => topic.comments)
const postsOf = (topic: (typeof sample.topics)[number]) =>
  topic.comments.length + topic.comments.reduce((sum, comment) => sum + comment.replies.length, 0)

test('the sample reads the same every time', () => {
  expect(readSample()).toEqual(sample)
})

test('the sample is a small community, unevenly busy', () => {
  const topics = sample.topics.filter((topic) => !topic.asks)
  const busy = topics.map(postsOf)
  expect(topics.length).toBeGreaterThanOrEqual(55)
  expect(topics.length).toBeLessThanOrEqual(70)
  expect(busy.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(360)
  expect(Math.max(...busy)).toBeGreaterThanOrEqual(30)
  expect(busy.filter((count) => count <= 2).length).toBeGreaterThanOrEqual(8)
})

test('about two thirds of the topics are Chinese', () => {
  const topics = sample.topics.filter((topic) => !topic.asks)
  const share = topics.filter((topic) => topic.language === 'zh').length / topics.length
  expect(share).toBeGreaterThan(0.58)
  expect(share).toBeLessThan(0.72)
})

test('twenty questions in both languages: eleven are resolved, two unanswered, two have a postscript', () => {
  const languages = Object.groupBy(questions, ({ language }) => language)
  expect([languages.zh?.length, languages.en?.length]).toEqual([11, 9])
  const solved = questions.filter((question) => question.comments.some(({ isBest }) => isBest))
  expect(new Set(solved.map(({ language }) => language)).size).toBe(2)
  expect(solved.length).toBe(11)
  expect(questions.filter((question) => question.comments.length === 0).length).toBe(2)
  expect(questions.filter((question) => question.postscripts.length > 0).length).toBe(2)
  expect(questions.filter((question) => question.comments.some(({ replies }) => replies.length > 0)).length).toBeGreaterThanOrEqual(3)
  expect(new Set(questions.map((question) => question.also.length))).toEqual(new Set([0, 1, 2, 3]))
})

test('there are many askers and answerers', () => {
  expect(new Set(questions.map(({ author }) => author)).size).toBeGreaterThanOrEqual(14)
  expect(new Set(questions.flatMap((question) => question.comments.map(({ author }) => author))).size).toBeGreaterThanOrEqual(14)
})

test('every leaf tag, every member and every picture is used', () => {
  const authors = new Set(sample.topics.flatMap((topic) => [topic.author, ...topic.comments.map((comment) => comment.author)]))
  expect(sample.members.filter((member) => !authors.has(member.account))).toEqual([])
  const tags = new Set(sample.topics.map((topic) => topic.tag))
  expect(sample.tags.flatMap((group) => group.children).filter((leaf) => !tags.has(leaf.key))).toEqual([])
  const pictures = new Set(sample.topics.flatMap((topic) => [...topic.body.matchAll(/picture:([a-z-]+)/g)].map((match) => match[1])))
  expect(pictures.size).toBe(10)
})

test('members hold only roles that exist, and some of them expire', () => {
  const roles = new Set(sample.roles.map((role) => role.key))
  const holdings = sample.members.flatMap((member) => member.roles)
  expect(holdings.every((one) => roles.has(one.role))).toBe(true)
  expect(holdings.filter((one) => one.daysLeft).length).toBe(2)
})

test('only members with access to a restricted tag write in it', () => {
  for (const leaf of sample.tags.flatMap((group) => group.children).filter((one) => one.restrictedTo)) {
    const allowed = sample.members.filter((member) => member.roles.some((one) => one.role === leaf.restrictedTo))
    const names = new Set(allowed.map((member) => member.account))
    for (const topic of sample.topics.filter((one) => [one.tag, ...one.also].includes(leaf.key))) {
      const writers = [topic, ...topic.comments, ...topic.comments.flatMap((comment) => comment.replies)].map((post) => post.author)
      expect(writers.filter((writer) => !names.has(writer))).toEqual([])
    }
  }
})

test('titles differ, and so do accounts and nicknames', () => {
  expect(new Set(sample.topics.map((topic) => topic.title)).size).toBe(sample.topics.length)
  expect(new Set(sample.members.map((member) => member.account.toLowerCase())).size).toBe(sample.members.length)
  expect(new Set(sample.members.map((member) => member.nickname)).size).toBe(sample.members.length)
})

test('no comment is repeated', () => {
  const bodies = comments.flatMap((comment) => [comment.body, ...comment.replies.map((reply) => reply.body)])
  expect(new Set(bodies).size).toBe(bodies.length)
})

test('a Chinese post full of code is still Chinese', () => {
  expect(languageOf('用 PostgreSQL 的 `explain` 看一下\n```sql\nselect one from two where three = four\n```')).toBe('zh')
  expect(languageOf('I call it 工夫茶 at home')).toBe('en')
})

const accounts = new Map([
  ['mei', 100],
  ['tom', 100],
  ['ann', 1],
])
const names = { accounts, tags: new Set(['tea', 'pot']), pictures: new Set(['cup']) }
const head = '---\ntitle: A cup\ntag: tea\nauthor: mei\ndaysAgo: 2\nviews: 3\n---\nHello\n'
const asking = head.replace('views', 'asks: true\nviews')
const answered = `${asking}=== comments\n--- tom @ 3h best\nHi`

test('a question is read with its further tags, its accepted answer and its postscripts', () => {
  const text = `${answered.replace('views', 'also: pot\nviews')}\n--- mei @ 4h adds\nMore\n--- mei @ 5h quotes 1\nThank you`
  const question = readTopic('topics/01-t.md', text, names)
  expect(question).toMatchObject({ asks: true, tag: 'tea', also: ['pot'] })
  expect(question.comments.map(({ author, isBest, quotesFloor }) => [author, isBest, quotesFloor])).toEqual([
    ['tom', true, undefined],
    ['mei', false, 1],
  ])
  expect(question.postscripts).toEqual([{ author: 'mei', minutesAfterTopic: 240, body: 'More' }])
})

test.each([
  ['an unknown field', head.replace('views', 'visits'), 't.md:6: expected one of'],
  ['a missing field', head.replace('views: 3\n', ''), 'views is missing'],
  ['an unknown tag', head.replace('tag: tea', 'tag: milk'), ':3: there is no leaf tag milk'],
  ['an author who had not joined', head.replace('mei', 'ann'), ':4: ann had not joined yet'],
  ['an unknown picture', `${head}![x](picture:pot)\n=== comments`, ':9: there is no picture pot'],
  ['an unknown member in a mention', `${head}@nobody\n=== comments`, ':9: there is no member nobody'],
  ['no comments line', head, 'the line "=== comments" is missing'],
  ['a comment from the future', `${head}=== comments\n--- mei @ 3d\nHi`, ':10: this comment lies in the future'],
  ['comments out of order', `${head}=== comments\n--- mei @ 3h\nHi\n--- mei @ 2h\nHo`, ':12: comments go by time'],
  ['a quote of a later floor', `${head}=== comments\n--- mei @ 3h quotes 1\nHi`, ':10: there is no earlier floor 1'],
  ['an answer to nobody', `${head}=== comments\n--- mei @ 3h\nHi\n> replies\n- mei @ 5m -> ann : Yes`, ':13: ann has no earlier reply'],
  ['a malformed reply', `${head}=== comments\n--- mei @ 3h\nHi\n> replies\n- mei: Yes`, ':13: a reply is'],
  ['an empty comment', `${head}=== comments\n--- mei @ 3h\n\n`, ':10: there is no text after this line'],
  ['further tags of what asks nothing', head.replace('views', 'also: milk\nviews'), ':6: there is no leaf tag milk'],
  ['a tag given twice', asking.replace('views', 'also: pot, tea\nviews'), ':7: the tag tea is given twice'],
  ['further tags of a topic', head.replace('views', 'also: pot\nviews'), ':6: only a question has further tags'],
  ['a best answer to what asks nothing', `${head}=== comments\n--- mei @ 3h best\nHi`, ':10: only a question has a best answer'],
  ["an asker's own best answer", `${asking}=== comments\n--- mei @ 3h best\nHi`, ':11: the best answer is not by its asker'],
  ['two best answers', `${answered}\n--- tom @ 4h quotes 1 best\nHo`, ':13: a question has one best answer'],
  ["another's postscript", `${asking}=== comments\n--- tom @ 3h adds\nHi`, ':11: only the asker adds to a question'],
  ['a postscript to what asks nothing', `${head}=== comments\n--- mei @ 3h adds\nHi`, ':10: only the asker adds to a question'],
  ['a postscript that quotes', `${answered}\n--- mei @ 4h adds quotes 1\nHi`, ':13: a comment begins with'],
  ['a postscript out of order', `${answered}\n--- mei @ 2h adds\nHi`, ':13: comments go by time'],
  ['a reply to a postscript', `${asking}=== comments\n--- mei @ 3h adds\nHi\n> replies\n- tom @ 5m : Yes`, ':13: nobody replies to what'],
  ['an open code block', `${head}\`\`\`js\n=== comments`, 'never ends'],
])('%s is refused with its file and line', (_, text, words) => {
  const whole = text.includes('=== comments') || words.includes('"=== comments"') ? text : `${text}=== comments\n`
  expect(() => readTopic('topics/01-t.md', whole, names)).toThrow(words)
})
