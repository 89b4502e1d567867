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
  withBounty,
} from '#bounty/contract.ts'
import { questionFilters, questionStates, threadLanguages } from '#kind/contract.ts'
import { withEnvelope } from '#red-envelope/contract.ts'
import { Banned } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
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
  summary: 'Questions by latest answer, newest first, in pages; filtered by tag and state (all, unresolved, resolved, unanswered).',
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
  summary: 'Question-specific data of a thread: state, tags, accepted answer and bounty.',
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
  summary: 'Actions that the member may take on a question as its asker, with its tags.',
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
  summary: 'Up to five questions with similar titles, resolved ones first, with an excerpt of the accepted answer.',
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
  summary: 'Publishes a question in a tag, which decides its visibility, and optional further tags; it may be held for review.',
  input: withBounty(
    withEnvelope(
      z.object({
        tagId: id,
        tagIds: furtherTags.default([]),
        ...offerFields,
        ...partFields,
        ...declared,
        title,
        body: topicDocument,
      }),
    ),
  ),
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
  summary: 'Edits the title, the body and optionally the tags of a question, by the same rules as a topic.',
  input: z.object({ questionId: id, ...movedTo, title, body: topicDocument, ...declared, ...moderatorEdit }),
  output: z.object({ questionId: z.string(), isPending: z.boolean() }),
  errors: [FunctionClosed, Banned, LabelByStaff, ...tagRefusals, MoveIsForStaff, ...titleRefusals, ...editRefusals],
})

export const addPostscript = write('/question/addPostscript', {
  summary: 'Adds a numbered, dated addendum to one of the member’s questions.',
  input: z.object({ questionId: id, body: commentDocument }),
  output: z.object({ number: z.number() }),
  errors: [FunctionClosed, Banned, AskerOnly, TooManyPostscripts, PostscriptWaits, TooSoon, ...writingRefusals],
})

export const adoptAnswer = write('/question/adopt', {
  summary:
    'Accepts an answer or, without one, none; can be changed for a day. A bounty is paid at once, optionally split, and that is final.',
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
  summary: 'Restores the content of a question that the member withdrew after it had answers.',
  input: z.object({ questionId: id }),
  output: nothing,
  errors: [Banned, AskerOnly, WordsInField],
})

export const closeQuestion = write('/question/close', {
  summary: 'Closes one of the member’s questions to answers, or reopens it.',
  input: z.object({ questionId: id, isClosed: z.boolean() }),
  output: nothing,
  errors: [FunctionClosed, Banned, AskerOnly, ClosedByStaff],
})
