import type { MessageView } from '#message/contract.ts'

/** The first unread message, where it is among these. */
export function firstUnread(messages: readonly MessageView[], unread: number): string | null {
  return unread > 0 ? (messages.filter(({ isMine }) => !isMine).at(-unread)?.id ?? null) : null
}
