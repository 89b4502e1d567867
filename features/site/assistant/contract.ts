import { z } from 'zod'
import { id, nothing, page, read, refusal, stream, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'

/** The jobs of models. */
export const assistantJobs = ['chat', 'summary', 'writing', 'translation'] as const
export type AssistantJob = (typeof assistantJobs)[number]

export const turnStates = ['running', 'finished', 'stopped', 'failed'] as const

/** Input left out of a prompt for lack of room: earlier turns of the conversation, parts of threads. */
export const partsLeftOut = ['turns', 'thread'] as const
export type LeftOut = (typeof partsLeftOut)[number]

/** Characters of one question. */
export const maxPromptLength = 8_000

/** No model is configured, or none for this job. */
export const NoModel = refusal('assistant.noModel')
export const NotPermitted = refusal('assistant.notPermitted', { status: 403 })
/** The daily limit of the member. */
export const DayUsed = refusal('assistant.dayUsed')
/** The monthly budget of the site. */
export const MonthUsed = refusal('assistant.monthUsed')
export const TooManyStreams = refusal('assistant.tooManyStreams', { status: 429, retryAfter: 5 })
/** Every provider was asked and none answered. */
export const ProviderAway = refusal('assistant.providerAway', { status: 503, retryAfter: 30 })
/** The provider broke off during the answer. */
export const BrokenOff = refusal('assistant.brokenOff')
/** The provider ended with a reason that is not known: the text may be whole or not. */
export const MayBeIncomplete = refusal('assistant.mayBeIncomplete')
/** The content filter of the provider refused. */
export const ContentRefused = refusal('assistant.contentRefused')
export const AnsweredNothing = refusal('assistant.answeredNothing')
/** Switched off, or the permission was revoked, during the answer. */
export const SwitchedOff = refusal('assistant.switchedOff')
export const StillRunning = refusal('assistant.stillRunning', { status: 409 })
/** There is no text to summarise, translate or improve. */
export const NothingThere = refusal('assistant.nothingThere')
/** A placeholder in a prompt without a value. */
export const UnknownPlaceholder = refusal('assistant.unknownPlaceholder', { field: 'text' })
/** The stand-in only answers on the machine itself. */
export const StandInForOthers = refusal('assistant.standInForOthers')
export const StandInIsFixed = refusal('assistant.standInIsFixed')
export const ReportedAlready = refusal('assistant.reportedAlready')
export const HandledAlready = refusal('assistant.handledAlready', { status: 409 })

export const runRefusals = [
  NoModel,
  NotPermitted,
  Banned,
  FunctionClosed,
  DayUsed,
  MonthUsed,
  TooManyStreams,
  ProviderAway,
  BrokenOff,
  MayBeIncomplete,
  ContentRefused,
  AnsweredNothing,
  SwitchedOff,
] as const

/** A source of an answer in the forum: answers only link to sources. */
export const SourceView = z.object({
  number: z.number(),
  title: z.string(),
  path: z.string(),
  /** Its pictures, the only ones that an answer may show. */
  pictures: z.array(z.string()).optional(),
})
export type SourceView = z.infer<typeof SourceView>

export const TurnView = z.object({
  id: z.string(),
  prompt: z.string(),
  /** Markdown. Links lead to sources, or to URLs in the member's own text. */
  answer: z.string(),
  sources: z.array(SourceView),
  state: z.enum(turnStates),
  /** The error message, as shown to the reader. */
  failure: z.string().nullable(),
  /** The code of that refusal. */
  failureCode: z.string().nullable(),
  leftOut: z.array(z.enum(partsLeftOut)),
  /** Answered by the stand-in for development. */
  isStandIn: z.boolean(),
  at: z.iso.datetime(),
})
export type TurnView = z.infer<typeof TurnView>

/** A piece of an answer. Text is appended; the last piece is the whole turn as stored. */
export const Piece = z.object({
  /** `restart`: all text of this stream was no part of the answer. `waiting`: the model is busy, and is asked again in some seconds. */
  kind: z.enum(['begun', 'looking', 'waiting', 'source', 'text', 'restart', 'turn']),
  conversationId: z.string().optional(),
  turnId: z.string().optional(),
  /** Of a tool call: its purpose. Of text: the appended part. */
  text: z.string().optional(),
  source: SourceView.optional(),
  turn: TurnView.optional(),
})
export type Piece = z.infer<typeof Piece>

export const ask = stream('/assistant/ask', {
  summary: 'Asks the assistant and streams the answer, with citations of forum posts that the member can read.',
  input: z.object({
    /** Without one, a new conversation begins. */
    conversationId: id.optional(),
    /** A turn that this one replaces, with all later ones: asked again or edited. */
    turnId: id.optional(),
    prompt: plainString.min(1).max(maxPromptLength),
    /** The thread on the reader's page. */
    topicId: id.optional(),
  }),
  output: Piece,
  errors: runRefusals,
})

export const goOn = stream('/assistant/continue', {
  summary: 'Continues an answer that was stopped or interrupted, as a stream.',
  input: z.object({ turnId: id }),
  output: Piece,
  errors: [...runRefusals, StillRunning],
})

export const assistantForm = read('/assistant/form', {
  summary: 'Features of the assistant that the member can use, and the remaining quota of today.',
  input: nothing,
  output: z.object({
    /** A chat model is available. */
    allowChat: z.boolean(),
    isPermitted: z.boolean(),
    jobs: z.array(z.enum(assistantJobs)),
    leftToday: z.number(),
    isStandIn: z.boolean(),
  }),
})

const ConversationRow = z.object({ id: z.string(), title: z.string(), at: z.iso.datetime() })

export const conversations = read('/assistant/conversations', {
  summary: 'The member’s conversations with the assistant, latest first.',
  input: z.object({ keyword: plainString.max(100).default(''), page: page.default(1) }),
  output: z.object({ conversations: z.array(ConversationRow), page: z.number(), pages: z.number(), keptDays: z.number() }),
})

export const conversation = read('/assistant/conversation', {
  summary: 'One of the member’s conversations with the assistant, from its first turn.',
  input: z.object({ conversationId: id }),
  output: ConversationRow.extend({ turns: z.array(TurnView) }),
})

export const renameConversation = write('/assistant/conversation/rename', {
  summary: 'Renames one of the member’s conversations.',
  input: z.object({ conversationId: id, title: plainString.min(1).max(100) }),
  output: nothing,
})

export const removeConversation = write('/assistant/conversation/remove', {
  summary: 'Deletes one of the member’s conversations permanently.',
  input: z.object({ conversationId: id }),
  output: nothing,
})

export const removeConversations = write('/assistant/conversations/remove', {
  summary: 'Deletes all of the member’s conversations permanently.',
  input: nothing,
  output: nothing,
})
