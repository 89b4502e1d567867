import { z } from 'zod'
import { id, nothing, page, read, refusal, refusalAt, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { fewestOptions, mostOptions, optionLabel, OptionsAlike, PollView, TooManyOptions } from '#poll/thread-part.ts'
import { Banned } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const PollEnded = refusal('poll.ended', { status: 409 })
/** Its thread is closed or locked. */
export const ThreadClosed = refusal('poll.threadClosed', { status: 409 })
/** The author removed a chosen option before the vote arrived. */
export const OptionGone = refusal('poll.optionGone', { field: 'optionIds' })
export const TooManyChosen = refusal('poll.tooManyChosen', { field: 'optionIds' })
export const OptionHasVotes = refusal('poll.optionHasVotes', { field: 'options' })
/** The author may not see the results yet, so it names no option. */
export const PollHasVotes = refusal('poll.hasVotes', { field: 'options' })
export const TooManyAfterEdit = refusalAt('options', TooManyOptions)
export const AlikeAfterEdit = refusalAt('options', OptionsAlike)
/** Staff review what this member writes, and an option has no review of its own. */
export const OptionsReviewed = refusal('poll.optionsReviewed', { field: 'options' })

const topicId = id
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const ResultsView = z.object({
  voters: z.number(),
  /** Options without votes are left out. */
  votes: z.array(z.object({ optionId: z.string(), count: z.number() })),
})
export type ResultsView = z.infer<typeof ResultsView>

export const PollStateView = PollView.extend({
  /** Null while the viewer may not see them. */
  results: ResultsView.nullable(),
  /** Opens the stream of results to voters, where only they see them. */
  resultsKey: z.string().nullable(),
  /** The options that the viewer voted for. */
  mine: z.array(z.string()),
  /** False for a thread that is closed or locked, too. */
  takesVotes: z.boolean(),
  may: z.object({ vote: z.boolean(), edit: z.boolean(), end: z.boolean() }),
  /** The most options it may have. */
  maxOptions: z.number(),
})
export type PollStateView = z.infer<typeof PollStateView>

export const pollForm = read('/poll/form', {
  summary: 'The most options that a poll of the member may have; 0 if they may add none.',
  input: nothing,
  output: z.object({ maxOptions: z.number() }),
})

export const showPoll = read('/poll', {
  summary: 'The poll of a topic or a question, with the viewer’s own vote, and the results once they may see them.',
  input: z.object({ topicId }),
  output: PollStateView,
})

export const vote = write('/poll/vote', {
  summary: 'Votes in a poll, or changes the member’s vote until it ends.',
  input: z.object({ topicId, optionIds: z.array(id).min(1).max(mostOptions) }),
  output: nothing,
  errors: [FunctionClosed, Banned, PollEnded, ThreadClosed, OptionGone, TooManyChosen],
})

export const editPoll = write('/poll/edit', {
  summary:
    'Sets the options of the author’s poll in their order. Those with an id stay, the others are new. An option with votes keeps its name and is not removed; where the author does not see the results, no option is, once there are votes.',
  input: z.object({
    topicId,
    options: z
      .array(z.object({ id: id.optional(), label: optionLabel }))
      .min(fewestOptions)
      .max(mostOptions),
  }),
  output: nothing,
  errors: [
    FunctionClosed,
    Banned,
    PollEnded,
    TooManyAfterEdit,
    AlikeAfterEdit,
    OptionHasVotes,
    PollHasVotes,
    OptionsReviewed,
    WordsInField,
  ],
})

export const endPoll = write('/poll/end', {
  summary: 'Ends the author’s poll early and notifies its voters.',
  input: z.object({ topicId }),
  output: nothing,
  errors: [PollEnded],
})

export const pollVoters = read('/poll/voters', {
  summary: 'Voters for an option of a public poll, newest first, once the viewer may see its results.',
  input: z.object({ topicId, optionId: id, page: page.default(1) }),
  output: z.object({ members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })), ...Pages }),
})

export const pollNews = read('/poll/news', {
  summary:
    'Streams the state of a poll and its results, now and after each change. Where only voters see the results, they need the key from the poll.',
  input: z.object({ topicId, resultsKey: z.uuid().optional() }),
  output: z.object({
    version: z.number(),
    isEnded: z.boolean(),
    takesVotes: z.boolean(),
    results: ResultsView.nullable(),
  }),
})
export type PollNews = z.infer<typeof pollNews.output>

const reason = plainString.min(1).max(300)

export const pollForStaff = read('/admin/poll', {
  summary: 'The results of a poll so far. The voters of each option are visible for public polls only.',
  input: z.object({ topicId }),
  output: z.object({ results: ResultsView }),
})

export const endPollAsStaff = write('/admin/poll/end', {
  summary: 'Ends a poll and notifies its author and its voters.',
  input: z.object({ topicId, reason }),
  output: nothing,
  errors: [PollEnded],
})

export const removePollAsStaff = write('/admin/poll/remove', {
  summary: 'Removes a poll from its thread with all its votes, for good.',
  input: z.object({ topicId, reason }),
  output: nothing,
})
