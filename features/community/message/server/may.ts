import { maxRequestMessages, defaultSenders } from '#message/contract.ts'
import type { Member } from '#base/server/http/route.ts'
import type { Relation } from '#message/server/relation.ts'
import type { Settings } from '#setting/contract.ts'
import * as writing from '#writing/server/writing.ts'

/** Why a member cannot write to another now; null where they may. */
export type ClosedReason = 'notReceiving' | 'blockedByYou' | 'requestWaits' | 'gone' | 'notAllowed'

export function closedReason(member: Member, settings: Settings, to: Relation): ClosedReason | null {
  if (!settings.allowMessages || !member.may('message.send') || isBanned(member)) return 'notAllowed'
  if (!to.isThere || to.isGone) return 'gone'
  if (to.mine === 'blocked') return 'blockedByYou'
  if (to.theirs === 'blocked' || (isRequest(member, to) && to.senders === 'nobody')) return 'notReceiving'
  return isRequest(member, to) && to.sent >= maxRequestMessages ? 'requestWaits' : null
}

/** Whether the message is a request: the two have no conversation, and the recipient's settings do not admit the sender. */
export function isRequest(member: Member, { isBegun, request, followsMe, senders }: Relation): boolean {
  if (isBegun && request !== 'mine') return false
  return !member.isOfficial && !followsMe && (senders ?? defaultSenders) !== 'everybody'
}

/** The seconds until the next message is allowed. */
export function secondsToWait(member: Member, settings: Settings, { isNew, secondsSince }: Relation): number {
  if (secondsSince === null || writing.isTrusted(member)) return 0
  const seconds = isNew ? settings.newMemberSecondsBetweenMessages : settings.secondsBetweenMessages
  return Math.ceil(Math.max(0, seconds - secondsSince))
}

export function needsCaptcha(member: Member, { isBusy }: Relation): boolean {
  return isBusy && !writing.isTrusted(member)
}

function isBanned({ bans }: Member): boolean {
  return bans?.some(({ from }) => from === 'message') ?? false
}
