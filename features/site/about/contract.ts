import { z } from 'zod'
import { nothing, read } from '#base/contract.ts'
import { threadLanguages } from '#kind/contract.ts'
import { NameView } from '#role/contract.ts'
import { TopicLinkView } from '#topic/contract.ts'

export const welcome = read('/welcome', {
  summary:
    'What this place is, for whoever comes first, and three good topics to begin with. Of a language that is named, rather than of another.',
  input: z.object({ language: z.enum(threadLanguages).optional() }),
  output: z.object({ says: NameView, topics: z.array(TopicLinkView) }),
  shared: true,
})

export const about = read('/about', {
  summary: 'What this place is and who runs it, and how many are here. The numbers are some minutes old.',
  input: nothing,
  output: z.object({
    says: NameView,
    /** Empty where not set. */
    runBy: NameView,
    members: z.number(),
    topics: z.number(),
    /** Topics, comments and replies since midnight of the site. */
    today: z.number(),
  }),
  shared: true,
})
