import type { MessageView } from '#message/contract.ts'
import { firstUnread } from '#message/web/first-unread.ts'
import { isLater, merged, renewed, type Conversation, type Loaded } from '#message/web/merge.ts'

export type Chat = Omit<Loaded, 'hasMore'> & {
  hasOlder: boolean
  /** The last message before which nothing is missing. A sent message can be later than one of the partner's that has not arrived yet. */
  knownTo: string | null
  /** The first message that arrived unread. */
  newFrom: string | null
  /** The direction of a failed load. */
  failed: 'older' | 'newer' | null
}

export type Change =
  | { kind: 'loaded' | 'other'; anew: Loaded }
  | { kind: 'older' | 'newer'; more: Conversation }
  | { kind: 'came'; more: Conversation; isSeen: boolean }
  | {
      kind: 'latest'
      latest: Conversation
      /** The last known message when the request was sent. */ askedAt: string | null
      isSeen: boolean
    }
  | { kind: 'sent'; message: MessageView }
  | { kind: 'deleted'; id: string }
  | { kind: 'failed'; way: Chat['failed'] }

/** The latest known message of the two. */
export function lastOf({ lastId, messages }: Chat): string | null {
  const here = messages.at(-1)?.id ?? null
  return here === null || (lastId !== null && isLater(lastId, here)) ? lastId : here
}

export function initialChat({ hasMore, ...loaded }: Loaded): Chat {
  return {
    ...loaded,
    hasOlder: hasMore,
    knownTo: loaded.messages.at(-1)?.id ?? null,
    newFrom: firstUnread(loaded.messages, loaded.unread),
    failed: null,
  }
}

export function applyChange(chat: Chat, change: Change): Chat {
  switch (change.kind) {
    case 'loaded':
      return reloaded(chat, change.anew)
    case 'other':
      return initialChat(change.anew)
    case 'older':
      return withNewFrom({ ...chat, failed: null, hasOlder: change.more.hasMore, messages: [...change.more.messages, ...chat.messages] })
    case 'newer':
      return { ...withMore(chat, change.more), failed: null, hasNewer: change.more.hasMore }
    case 'came':
      return { ...withMore(chat, change.more), newFrom: newAmong(chat, change.more.messages, change.isSeen) }
    case 'latest':
      return withLatest(chat, change)
    case 'sent':
      // An answer implies reading.
      return chat.hasNewer ? chat : { ...chat, newFrom: null, messages: merged(chat.messages, [change.message]) }
    case 'deleted':
      return { ...chat, messages: chat.messages.filter(({ id }) => id !== change.id) }
    case 'failed':
      return { ...chat, failed: change.way }
  }
}

// The first unread message may be older than the loaded ones.
function withNewFrom(chat: Chat): Chat {
  return chat.newFrom || chat.unread === 0 ? chat : { ...chat, newFrom: firstUnread(chat.messages, chat.unread) }
}

function reloaded(chat: Chat, anew: Loaded): Chat {
  // The gap between the two is unknown.
  if (anew.messages.length === 0 || isAfterGap(chat, anew)) return { ...initialChat(anew), newFrom: chat.newFrom }
  const { hasMore: _, hasNewer, ...its } = anew
  return { ...withMore({ ...chat, ...its, messages: chat.messages }, anew), hasNewer: chat.hasNewer && hasNewer }
}

/** Whether messages may be missing between the known ones and these. */
export function isAfterGap({ knownTo }: Chat, { messages: [first] }: Conversation): boolean {
  return first !== undefined && (knownTo === null || isLater(first.id, knownTo))
}

function withMore(chat: Chat, { messages }: Conversation): Chat {
  return { ...chat, knownTo: laterOf(chat.knownTo, messages), messages: merged(chat.messages, messages) }
}

function laterOf(knownTo: string | null, messages: readonly MessageView[]): string | null {
  const last = messages.at(-1)?.id ?? null
  return knownTo === null || (last !== null && isLater(last, knownTo)) ? last : knownTo
}

/** The first of the partner's messages that arrived while the page was not visible. */
function newAmong(chat: Chat, messages: readonly MessageView[], isSeen: boolean): string | null {
  const theirs = messages.find(({ id, isMine }) => !isMine && (chat.knownTo === null || isLater(id, chat.knownTo)))
  const isStillNew = chat.newFrom !== null && chat.unread > 0
  return theirs && !isSeen && !isStillNew ? theirs.id : chat.newFrom
}

function withLatest(chat: Chat, { latest, askedAt, isSeen }: Extract<Change, { kind: 'latest' }>): Chat {
  const { messages, hasMore, ...its } = latest
  if (chat.hasNewer) return { ...chat, ...its }
  const [first, firstHere] = [messages[0], chat.messages[0]]
  const isFromThere = !first || !firstHere || !isLater(first.id, firstHere.id)
  return {
    ...chat,
    ...its,
    knownTo: laterOf(chat.knownTo, messages),
    newFrom: newAmong(chat, messages, isSeen),
    hasOlder: hasMore && (isFromThere || chat.hasOlder),
    messages: renewed(chat.messages, latest, askedAt),
  }
}
