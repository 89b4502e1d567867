import * as audit from '#audit/server/audit.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import * as comments from '#comment/server/comment.ts'
import { refuseOwn } from '#content/server/own-post.ts'
import { changeBetween, standingOf, type Change, type Part } from '#content/server/standing.ts'
import type { DeedName, Kind } from '#content/views.ts'
import { TagNotOpen } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

export type Wish = { reason?: string; tagId?: string | undefined; pin?: number }
type Does = (tx: Db, by: Staff, id: string, wish: Wish) => Promise<void>
type Name = DeedName | 'topic.pin'
type Deed = { right: string; does: Does }

const edits = (does: Does): Deed => ({ right: 'content.edit', does })
const removes = (does: Does): Deed => ({ right: 'content.remove', does })

/** What staff do to one thing, or to many at once. Each refuses before it changes anything. */
export const deeds: Record<Name, Deed> = {
  'topic.pin': edits((tx, _, id, { pin = 0 }) => order(tx, id, { pin })),
  'topic.unpin': edits((tx, _, id) => order(tx, id, { pin: 0 })),
  'topic.feature': edits((tx, _, id) => order(tx, id, { featuredAt: new Date() })),
  'topic.unfeature': edits((tx, _, id) => order(tx, id, { featuredAt: null })),
  'topic.sink': edits((tx, _, id) => order(tx, id, { sunkAt: new Date() })),
  'topic.raise': edits((tx, _, id) => order(tx, id, { sunkAt: null })),
  'topic.close': edits((tx, _, id) => order(tx, id, { takesComments: false })),
  'topic.open': edits((tx, _, id) => order(tx, id, { takesComments: true })),
  'topic.move': edits((tx, by, id, { tagId }) => move(tx, by, id, tagId)),
  'topic.remove': removes(async (tx, by, id, wish) => topics.takeDown(tx, await topics.lockAny(tx, id), byStaff(by, wish))),
  'topic.restore': removes(async (tx, _, id) => topics.putBack(tx, await topics.lockAny(tx, id))),
  'comment.remove': removes(async (tx, by, id, wish) =>
    comments.takeDownComment(tx, await comments.lockAnyComment(tx, id), byStaff(by, wish)),
  ),
  'comment.restore': removes(async (tx, _, id) => comments.putBackComment(tx, await comments.lockAnyComment(tx, id))),
  'reply.remove': removes(async (tx, by, id, wish) => comments.takeDownReply(tx, await comments.lockAnyReply(tx, id), byStaff(by, wish))),
  'reply.restore': removes(async (tx, _, id) => comments.putBackReply(tx, await comments.lockAnyReply(tx, id))),
}

/** Does it to one thing, and notes it. Nothing is noted where nothing changed. */
export async function once(tx: Db, by: Staff, from: From, { name, id, ...wish }: Wish & { name: Name; id: string }): Promise<void> {
  if (!by.staff.may(deeds[name].right)) throw NotAllowed()
  const change = await changed(tx, by, name, id, wish)
  if (change) await note(tx, by, from, { name, id, reason: wish.reason, ...change })
}

/** Does it to one thing without a word; says what changed. */
export async function changed(tx: Db, by: Staff, name: Name, id: string, wish: Wish): Promise<Change | null> {
  const kind = kindOf(name)
  await lock(tx, kind, id)
  if (name === `${kind}.restore`) await refuseOwn(tx, by, kind, id)
  const before = await standingOf(tx, kind, id)
  await deeds[name].does(tx, by, id, wish)
  return changeBetween(before, await standingOf(tx, kind, id))
}

export type Noted = Change & { name: audit.Deed['deed']; id: string; reason?: string | undefined }

export function note(tx: Db, by: Staff, from: Pick<From, 'ip'>, ...all: readonly Noted[]): Promise<void> {
  const noted = all.map(({ name, id, reason, before, after }) => ({
    deed: name,
    about: `${kindOf(name)} ${id}`,
    ...(reason && { reason }),
    before,
    after,
  }))
  return audit.noteAll(tx, by.staff, from, noted)
}

export async function lock(tx: Db, kind: Kind, id: string): Promise<void> {
  if (kind === 'topic') await topics.lockAny(tx, id)
  else await (kind === 'comment' ? comments.lockAnyComment(tx, id) : comments.lockAnyReply(tx, id))
}

export function kindOf(name: string): Kind {
  return name.split('.')[0] as Kind
}

/** Puts back what one deed changed. */
export async function putAs(tx: Db, by: Staff, kind: Kind, id: string, part: Part): Promise<void> {
  if (part.tagId !== undefined) await move(tx, by, id, part.tagId)
  if (part.status !== undefined) await putStatus(tx, by, kind, id, part)
  const { pin, featuredAt, sunkAt, takesComments } = part
  if (pin === undefined && featuredAt === undefined && sunkAt === undefined && takesComments === undefined) return
  await order(tx, id, {
    ...(pin !== undefined && { pin }),
    ...(takesComments !== undefined && { takesComments }),
    ...(featuredAt !== undefined && { featuredAt: featuredAt === null ? null : new Date(featuredAt) }),
    ...(sunkAt !== undefined && { sunkAt: sunkAt === null ? null : new Date(sunkAt) }),
  })
}

async function putStatus(
  tx: Db,
  hand: Staff,
  kind: Kind,
  id: string,
  { status, deletedBy, deletedAt, deletedReason }: Part,
): Promise<void> {
  const by = deletedBy ?? 'staff'
  const removal = by === 'staff' && { removal: { by: hand.staff.id } }
  const down = { by, reason: deletedReason ?? null, ...removal, ...(deletedAt && { at: new Date(deletedAt) }) }
  const isDown = status === 'deleted'
  if (!isDown) await refuseOwn(tx, hand, kind, id)
  if (kind === 'topic') {
    const topic = await topics.lockAny(tx, id)
    await (isDown ? topics.takeDown(tx, topic, down) : topics.putBack(tx, topic))
  } else if (kind === 'comment') {
    const found = await comments.lockAnyComment(tx, id)
    await (isDown ? comments.takeDownComment(tx, found, down) : comments.putBackComment(tx, found))
  } else {
    const found = await comments.lockAnyReply(tx, id)
    await (isDown ? comments.takeDownReply(tx, found, down) : comments.putBackReply(tx, found))
  }
}

async function order(tx: Db, id: string, to: topics.Order): Promise<void> {
  const topic = await topics.lockAny(tx, id)
  // Whatever is sunk or featured stays so since then.
  if ((to.sunkAt && topic.sunkAt) || (to.featuredAt && topic.isFeatured)) return
  await topics.keepOrder(tx, topic, to)
  if (to.sunkAt === undefined) return
  await topics.lastSaid(tx, topic, await comments.newestUnder(tx, { id, sunkAt: to.sunkAt }))
}

async function move(tx: Db, by: Staff, id: string, tagId: string | undefined): Promise<void> {
  const topic = await topics.lockAny(tx, id)
  if (tagId === undefined) throw TagNotOpen()
  const to = await tag.toPublishIn(tx, by, tagId)
  if (to.id === topic.tagId) return
  const tallies = await comments.tallyUnder(tx, id)
  await user.lostAll(tx, topic.tagId, tallies)
  await user.wroteAll(tx, to.id, tallies)
  await topics.move(tx, topic, to)
}

function byStaff({ staff }: Staff, { reason }: Wish): topics.TakenDown {
  return { by: 'staff', reason: reason || null, removal: { by: staff.id } }
}
