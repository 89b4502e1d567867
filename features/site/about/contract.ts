import { z } from 'zod'
import { nothing, read } from '#base/contract.ts'
import { threadLanguages } from '#kind/contract.ts'
import { NameView } from '#role/contract.ts'
import { TopicLinkView } from '#topic/contract.ts'

export const welcome = read('/welcome', {
  summary: 'Welcome text for new visitors with three recommended topics, preferably in the requested language.',
  input: z.object({ language: z.enum(threadLanguages).optional() }),
  output: z.object({ says: NameView, topics: z.array(TopicLinkView) }),
  shared: true,
})

export const about = read('/about', {
  summary: 'Description and operator of the site with its member and post counts, cached for a few minutes.',
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
