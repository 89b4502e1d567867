import { z } from 'zod'
import { id, read } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import { TopicLinkView } from '#topic/contract.ts'
import { PersonView } from '#user/contract.ts'

export const similarTopics = read('/topic/similar', {
  summary: 'Up to fifteen topics with similar titles.',
  input: z.object({ topicId: id }),
  output: z.object({ topics: z.array(TopicLinkView) }),
  shared: true,
})

export const topicsAlike = read('/topic/alike', {
  summary: 'Up to five topics and questions with titles similar to a title in progress.',
  input: z.object({ title: typedString.max(200) }),
  output: z.object({ topics: z.array(TopicLinkView) }),
})

export const topicAuthor = read('/topic/author', {
  summary: 'The author of a topic and, if their activity is public, up to five of their other topics, newest first.',
  input: z.object({ topicId: id }),
  output: PersonView.extend({ topics: z.array(TopicLinkView) }),
  shared: true,
})
