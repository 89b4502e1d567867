import { expect, test } from 'vitest'
import { targetOf } from '#importer/server/diyhi/addresses.ts'

const rules = { commentsPerPage: '30', answersPerPage: '10' }
const at = (path: string, its: Record<string, string> = rules) => targetOf(new URL(path, 'http://localhost/'), its)

test.each([
  ['/thread?topicId=20', { to: 'thread', id: 'topic/20' }],
  ['/thread?topicId=20&page=1', { to: 'thread', id: 'topic/20' }],
  ['/thread?topicId=20&page=3', { to: 'thread', id: 'topic/20', place: 61 }],
  ['/thread?topicId=20&commentId=7', { to: 'post', id: 'comment/7' }],
  ['/thread?topicId=20&commentId=7&replyId=9&reportModule=30', { to: 'post', id: 'reply/9' }],
  ['/question?questionId=3', { to: 'thread', id: 'question/3' }],
  ['/question?questionId=3&page=2', { to: 'thread', id: 'question/3', place: 11 }],
  ['/question?questionId=3&answerId=4', { to: 'post', id: 'answer/4' }],
  ['/question?questionId=3&answerId=4&replyId=5', { to: 'post', id: 'answer-reply/5' }],
  ['/user/control/home?userName=7RFV0qIJWttTROD9gFIabc', { to: 'member', id: '7RFV0qIJWttTROD9gFIabc' }],
  ['/index?tagId=5', { to: 'tag', id: 'topic/5' }],
  ['/askList?tagId=5', { to: 'tag', id: 'question/5' }],
  ['/file/comment/20/0a1b2c.png', { to: 'file', id: 'file/comment/20/0a1b2c.png' }],
  ['/file/topic/2024-02-01/file/0a1b2c.zip?md5=x&expires=1', { to: 'file', id: 'file/topic/2024-02-01/file/0a1b2c.zip' }],
  ['/index', null],
  ['/askList', null],
  ['/thread', null],
  ['/thread?topicId=one', null],
  ['/thread?topicId=99999999999999999999', null],
  ['/user/control/home?userName=%27%20or%201', null],
  ['/user/control/home', null],
  ['/file/topic/../../bbs.yml', null],
  ['/file/%2e%2e/application.yml', null],
  ['/topicList', null],
])('%s leads to %j', (path, target) => {
  expect(at(path)).toEqual(target)
})

test('a page of comments that began with the latest leads to the topic', () => {
  expect(at('/thread?topicId=20&page=3', {})).toEqual({ to: 'thread', id: 'topic/20' })
})
