import { z } from 'zod'
import { declared, LabelByStaff } from '#ai-label/contract.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'
import {
  bountyFilters,
  BountyOver,
  BountyView,
  offerFields,
  OfferView,
  offerRefusals,
  PaidStays,
  SplitPart,
  maxParts,
  SplitWrong,
} from '#bounty/contract.ts'
import { questionFilters, questionStates, threadLanguages } from '#kind/contract.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { furtherTags, movedTo, PlaceView, tagRefusals } from '#tag/contract.ts'
import { MoveIsForStaff, PostscriptView, title, TopicInListView } from '#topic/contract.ts'
import { partFields, partRefusals } from '#topic/parts-contract.ts'
import { moneyRefusals } from '#wallet/contract.ts'
import {
  commentDocument,
  moderatorEdit,
  editRefusals,
  paceRefusals,
  SegmentView,
  titleRefusals,
  TooSoon,
  topicDocument,
  writingRefusals,
} from '#writing/contract.ts'

export const AskerOnly = refusal('question.askerOnly', { status: 403 })
export const OwnAnswer = refusal('question.ownAnswer', { field: 'commentId' })
/** The accepted answer can be changed for a day. */
export const AdoptionStands = refusal('question.adoptionStands')
/** For a day only the asker can accept an answer. */
export const AskersDay = refusal('question.askersDay')
export const TooManyPostscripts = refusal('question.tooManyPostscripts', { field: 'body' })
/** Addenda cannot be held for review; edits can. */
export const PostscriptWaits = refusal('question.postscriptWaits', { field: 'body' })
export const ClosedByStaff = refusal('question.closedByStaff')

export const maxPostscripts = 20

export const QuestionCardView = TopicInListView.extend({
  bounty: OfferView.nullable(),
})
export type QuestionCardView = z.infer<typeof QuestionCardView>

/** Staff see removed ones, too. */
export const PostscriptForStaff = PostscriptView.extend({ removedAt: z.iso.datetime().nullable(), reason: z.string().nullable() })

export const listQuestions = read('/question/list', {
  summary:
    'A page of questions, those with the latest answer first: all, those not resolved (answered or not), resolved, or not answered; anywhere or within a tag.',
  input: z.object({
    tagId: id.optional(),
    state: z.enum(questionFilters).optional(),
    /** Questions with a bounty of this kind, the highest first; with any, those that expire first. */
    bounty: z.enum(bountyFilters).optional(),
    language: z.enum(threadLanguages).optional(),
    page: page.default(1),
  }),
  output: z.object({
    questions: z.array(QuestionCardView),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
    place: PlaceView.nullable(),
  }),
  shared: true,
})

export const question = read('/question', {
  summary: 'What a question has beyond a topic: its tags, and which answer solved it.',
  input: z.object({ questionId: id }),
  output: z.object({
    state: z.enum(questionStates),
    tags: z.array(PlaceView),
    /** The accepted answer, which is among the others. */
    bestId: z.string().nullable(),
    bounty: BountyView.nullable(),
  }),
  shared: true,
})

export const myQuestion = read('/question/mine', {
  summary: 'What I may do with a question that only its asker may; and its tags.',
  input: z.object({ questionId: id }),
  output: z.object({
    isAsker: z.boolean(),
    mayAdopt: z.boolean(),
    mayRaise: z.boolean(),
    mayAdd: z.boolean(),
    mayClose: z.boolean(),
    /** The former content, for the asker of a withdrawn question. */
    withdrawn: z.array(SegmentView).nullable(),
    /** Also for a pending question, which has no public page. */
    tags: z.array(PlaceView),
  }),
})

export const similarQuestions = read('/question/similar', {
  summary: 'Up to five questions whose titles speak of the same, those that are solved first, with what the best answer says.',
  input: z.object({ title: typedString.max(200) }),
  output: z.object({
    questions: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        state: z.enum(questionStates),
        answerCount: z.number(),
        best: z.string().nullable(),
      }),
    ),
  }),
})

export const askQuestion = write('/question/ask', {
  summary: 'Asks a question in a tag, which says who may see it, and under further tags; or has it wait until staff have looked at it.',
  input: z.object({
    tagId: id,
    tagIds: furtherTags.default([]),
    ...offerFields,
    ...partFields,
    ...declared,
    title,
    body: topicDocument,
  }),
  output: z.object({ questionId: z.string(), isPending: z.boolean() }),
  errors: [
    ...offerRefusals,
    ...partRefusals,
    FunctionClosed,
    Banned,
    ...tagRefusals,
    ...titleRefusals,
    ...writingRefusals,
    ...paceRefusals,
  ],
})

export const editQuestion = write('/question/edit', {
  summary: 'Replaces title and body of a question, and its tags where they are given, in the way of topics.',
  input: z.object({ questionId: id, ...movedTo, title, body: topicDocument, ...declared, ...moderatorEdit }),
  output: z.object({ questionId: z.string(), isPending: z.boolean() }),
  errors: [FunctionClosed, Banned, LabelByStaff, ...tagRefusals, MoveIsForStaff, ...titleRefusals, ...editRefusals],
})

export const addPostscript = write('/question/addPostscript', {
  summary: 'Adds something to a question of mine, with a number and the time.',
  input: z.object({ questionId: id, body: commentDocument }),
  output: z.object({ number: z.number() }),
  errors: [FunctionClosed, Banned, AskerOnly, TooManyPostscripts, PostscriptWaits, TooSoon, ...writingRefusals],
})

export const adoptAnswer = write('/question/adopt', {
  summary:
    'Says which answer solved a question of mine; without one, that none did. It can be changed for a day. What is offered goes to it, less what the others named get; that is not changed.',
  input: z.object({
    questionId: id,
    commentId: id.optional(),
    split: z.array(SplitPart).max(maxParts).default([]),
    /** The bounty was shown to the asker before they accepted. */
    withBounty: z.boolean().default(false),
  }),
  output: nothing,
  errors: [Banned, AskerOnly, OwnAnswer, AdoptionStands, PaidStays, SplitWrong, BountyOver, ...moneyRefusals],
})

export const restoreQuestion = write('/question/restore', {
  summary: 'Puts back what a question of mine said, which I took away after others had answered it.',
  input: z.object({ questionId: id }),
  output: nothing,
  errors: [Banned, AskerOnly],
})

export const closeQuestion = write('/question/close', {
  summary: 'Closes a question of mine for answers, or opens it again.',
  input: z.object({ questionId: id, isClosed: z.boolean() }),
  output: nothing,
  errors: [FunctionClosed, Banned, AskerOnly, ClosedByStaff],
})
