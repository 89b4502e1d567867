import { z } from 'zod'
import { CaptchaNeeded, CaptchaWrong, captchaFields } from '#captcha/contract.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { documentOf } from '#base/rich-text/check-document.ts'
import { messageEnvelopeFields, giveRefusals, withEnvelope } from '#red-envelope/contract.ts'
import { Banned } from '#role/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { SegmentView, TooSoon, writingRefusals } from '#writing/contract.ts'

export const Yourself = refusal('message.yourself')
/** The recipient blocked the sender, or accepts no messages: the refusal does not say which. */
export const NotReceiving = refusal('message.notReceiving')
export const BlockedByYou = refusal('message.blockedByYou')
/** Only a few messages can be sent before the recipient answers. */
export const RequestWaits = refusal('message.requestWaits')
/** A message that is sent again must have the same recipient. */
export const KeyOfAnother = refusal('message.keyOfAnother', { field: 'key' })
export const NothingToAccept = refusal('message.nothingToAccept')
export const ReportedAlready = refusal('message.reportedAlready')
export const OwnMessage = refusal('message.own')
export const DecidedAlready = refusal('message.decidedAlready', { status: 409 })

export const maxMessageLength = 1_000
/** The number of messages to a member who has not accepted the request. */
export const maxRequestMessages = 3

/**
 * The senders whose first message is no request. `followed` makes a request of the first message from others; `nobody` accepts none of
 * those.
 */
export const senders = ['everybody', 'followed', 'nobody'] as const
export type Senders = (typeof senders)[number]
export const defaultSenders: Senders = 'followed'

const messageDocument = documentOf({ maxText: maxMessageLength, maxMentions: 0 })

export const MessageView = z.object({
  id: z.string(),
  isMine: z.boolean(),
  segments: z.array(SegmentView),
  sentAt: z.iso.datetime(),
  /** The idempotency key of one's own message, by which a browser recognises it; null for those of others. */
  key: z.string().nullable(),
  /** The red envelope in the message. */
  envelopeId: z.string().nullable(),
})
export type MessageView = z.infer<typeof MessageView>

export const conversationsPerPage = 30

export const folders = ['inbox', 'requests'] as const

export const conversations = read('/user/control/privateMessageList', {
  summary: 'Conversations and message requests of the member by latest message; with a search, those with a matching name or message.',
  input: z.object({
    in: z.enum(folders).default('inbox'),
    search: plainString.max(100).default(''),
    page: page.default(1),
    limit: z.int().min(1).max(conversationsPerPage).default(conversationsPerPage),
  }),
  output: z.object({
    conversations: z.array(
      z.object({
        member: AuthorView,
        /** The latest message, or the latest match of the search. */
        last: z.object({
          id: z.string(),
          isMine: z.boolean(),
          text: z.string(),
          /** The name of its file, where it has nothing else. */
          file: z.string().nullable(),
          sentAt: z.iso.datetime(),
        }),
        /** The latest message, regardless of the search. */
        lastId: z.string(),
        unread: z.number(),
      }),
    ),
    requests: z.number(),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
  }),
})
export type ConversationView = z.infer<typeof conversations.output>['conversations'][number]

export const conversation = read('/user/control/privateMessageChatList', {
  summary: 'Messages between the member and another, oldest first: the latest 30, those before a message, or those after one.',
  input: z.object({ userId: id, before: id.optional(), after: id.optional() }),
  output: z.object({
    member: AuthorView,
    messages: z.array(MessageView),
    /** More messages follow in the requested direction. */
    hasMore: z.boolean(),
    /** The viewer's latest message of all; null where there is none. */
    lastId: z.string().nullable(),
    unread: z.number(),
    /** The sender of the request, until it is accepted. */
    request: z.enum(['mine', 'theirs']).nullable(),
    /** Why the viewer cannot write now; null where they can. */
    closed: z.enum(['notReceiving', 'blockedByYou', 'requestWaits', 'gone', 'notAllowed']).nullable(),
    needsCaptcha: z.boolean(),
  }),
})

export const send = write('/user/control/addPrivateMessage', {
  summary: 'Sends a private message, optionally with a red envelope. Idempotent: a repeated idempotency key returns the first message.',
  input: withEnvelope(z.object({ userId: id, body: messageDocument, key: z.uuid(), ...messageEnvelopeFields, ...captchaFields })),
  output: z.object({ message: MessageView }),
  errors: [
    ...giveRefusals,
    Yourself,
    KeyOfAnother,
    NotReceiving,
    BlockedByYou,
    RequestWaits,
    TooSoon,
    CaptchaNeeded,
    CaptchaWrong,
    ...writingRefusals,
  ],
})

export const markRead = write('/user/control/markPrivateMessagesAsRead', {
  summary: 'Marks the messages of a conversation as read up to a given one.',
  input: z.object({ userId: id, upTo: id }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const markAllRead = write('/user/control/markAllPrivateMessagesAsRead', {
  summary: 'Marks all messages of the member as read, optionally up to a given one. Message requests stay unread.',
  input: z.object({ upTo: id.optional() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const accept = write('/user/control/acceptPrivateMessageRequest', {
  summary: 'Accepts a message request. Its sender can then write without further requests.',
  input: z.object({ userId: id }),
  output: nothing,
  errors: [NothingToAccept],
})

export const remove = write('/user/control/deletePrivateMessage', {
  summary: 'Deletes the member’s copy of a message, or of a conversation up to a given message. The other copy stays.',
  input: z
    .object({ userId: id, messageId: id.optional(), upTo: id.optional() })
    .refine(({ messageId, upTo }) => Boolean(messageId) !== Boolean(upTo), { path: ['upTo'] }),
  output: nothing,
})

export const messageSettings = read('/user/control/privateMessageSettings', {
  summary: 'The member’s setting of who can write to them without a request.',
  input: nothing,
  output: z.object({ from: z.enum(senders) }),
})

export const changeMessageSettings = write('/user/control/changePrivateMessageSettings', {
  summary: 'Sets who can write to the member without a request.',
  input: z.object({ from: z.enum(senders) }),
  output: nothing,
})

export const report = write('/user/control/reportPrivateMessage', {
  summary: 'Reports a message to staff, who can then read it with a few messages before and after it.',
  input: z.object({ messageId: id, reason: plainString.min(1).max(1_000) }),
  output: nothing,
  errors: [OwnMessage, ReportedAlready, Banned],
})
