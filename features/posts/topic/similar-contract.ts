import { z } from 'zod'
import { id, read } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import { TopicLinkView } from '#topic/contract.ts'
import { PersonView } from '#user/contract.ts'

export const similarTopics = read('/topic/similar', {
  summary: 'Up to fifteen topics whose titles speak of the same things.',
  input: z.object({ topicId: id }),
  output: z.object({ topics: z.array(TopicLinkView) }),
  shared: true,
})

export const topicsAlike = read('/topic/alike', {
  summary: 'Up to five topics and questions whose titles speak of what somebody is about to write of.',
  input: z.object({ title: typedString.max(200) }),
  output: z.object({ topics: z.array(TopicLinkView) }),
})

export const topicAuthor = read('/topic/author', {
  summary: 'Who wrote a topic, and up to five others of theirs, newest first, where they show what they write.',
  input: z.object({ topicId: id }),
  output: PersonView.extend({ topics: z.array(TopicLinkView) }),
  shared: true,
})
