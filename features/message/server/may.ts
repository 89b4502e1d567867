import { requestMessages, standardSenders } from '#message/contract.ts'
import type { Member } from '#base/server/http/route.ts'
import type { Standing } from '#message/server/standing.ts'
import type { Settings } from '#setting/contract.ts'
import * as writing from '#writing/server/writing.ts'

/** Why a member cannot write to another now; null where they may. */
export type Closed = 'notReceiving' | 'blockedByYou' | 'requestWaits' | 'gone' | 'notAllowed'

export function closed(member: Member, settings: Settings, to: Standing): Closed | null {
  if (!settings.allowMessages || !member.may('message.send') || isBanned(member)) return 'notAllowed'
  if (!to.isThere || to.isGone) return 'gone'
  if (to.mine === 'blocked') return 'blockedByYou'
  if (to.theirs === 'blocked' || (asks(member, to) && to.senders === 'nobody')) return 'notReceiving'
  return asks(member, to) && to.sent >= requestMessages ? 'requestWaits' : null
}

/** Whether the message is a request: the two have no conversation, and the recipient's settings do not admit the sender. */
export function asks(member: Member, { isBegun, request, followsMe, senders }: Standing): boolean {
  if (isBegun && request !== 'mine') return false
  return !member.isOfficial && !followsMe && (senders ?? standardSenders) !== 'everybody'
}

/** The seconds until the next message is allowed. */
export function wait(member: Member, settings: Settings, { isNew, secondsSince }: Standing): number {
  if (secondsSince === null || writing.isTrusted(member)) return 0
  const seconds = isNew ? settings.newMemberSecondsBetweenMessages : settings.secondsBetweenMessages
  return Math.ceil(Math.max(0, seconds - secondsSince))
}

export function needsCaptcha(member: Member, { isBusy }: Standing): boolean {
  return isBusy && !writing.isTrusted(member)
}

function isBanned({ bans }: Member): boolean {
  return bans?.some(({ from }) => from === 'message') ?? false
}
