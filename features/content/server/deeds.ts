import * as audit from '#audit/server/audit.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import * as comments from '#comment/server/comment.ts'
import { refuseOwn } from '#content/server/own-post.ts'
import { changeBetween, standingOf, type Change, type Part } from '#content/server/standing.ts'
import { rightOf, type DeedName, type Kind } from '#content/views.ts'
import { TagNotOpen } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

/** Of what is done to many, authors are told together. */
export type Wish = { reason?: string; tagId?: string | undefined; pin?: number; tells?: boolean }
type Does = (tx: Db, by: Staff, post: comments.Post, wish: Wish) => Promise<void>
type Name = DeedName | 'topic.pin'

/** What staff do to one thing, or to many at once. Each refuses before it changes anything. */
const deeds: Record<Name, Does> = {
  'topic.pin': (tx, _, { topic }, { pin = 0 }) => order(tx, topic, { pin }),
  'topic.unpin': (tx, _, { topic }) => order(tx, topic, { pin: 0 }),
  'topic.feature': (tx, _, { topic }) => order(tx, topic, { featuredAt: new Date() }),
  'topic.unfeature': (tx, _, { topic }) => order(tx, topic, { featuredAt: null }),
  'topic.sink': (tx, _, { topic }) => order(tx, topic, { sunkAt: new Date() }),
  'topic.raise': (tx, _, { topic }) => order(tx, topic, { sunkAt: null }),
  'topic.close': (tx, _, { topic }) => order(tx, topic, { takesComments: false }),
  'topic.open': (tx, _, { topic }) => order(tx, topic, { takesComments: true }),
  'topic.move': (tx, by, { topic }, { tagId }) => move(tx, by, topic, tagId),
  'topic.remove': takeDown,
  'topic.restore': putBack,
  'comment.remove': takeDown,
  'comment.restore': putBack,
  'reply.remove': takeDown,
  'reply.restore': putBack,
}

/** Does it to one thing, and notes it. Nothing is noted where nothing changed. */
export async function once(tx: Db, by: Staff, from: From, { name, id, ...wish }: Wish & { name: Name; id: string }): Promise<void> {
  if (!by.staff.may(name === 'topic.pin' ? 'content.edit' : rightOf[name])) throw NotAllowed()
  const change = await changed(tx, by, name, id, wish)
  if (change) await note(tx, by, from, { name, id, reason: wish.reason, ...change })
}

/** Does it to one thing without a word; says what changed. */
export async function changed(tx: Db, by: Staff, name: Name, id: string, wish: Wish): Promise<Change | null> {
  const kind = kindOf(name)
  const post = await comments.lockPost(tx, kind, id)
  const before = await standingOf(tx, kind, id)
  await deeds[name](tx, by, post, wish)
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

export function kindOf(name: string): Kind {
  return name.split('.')[0] as Kind
}

/** Puts back what one deed changed: where a post lies, whether it is there, or how it is sorted. */
export async function putAs(tx: Db, by: Staff, post: comments.Post, part: Part, tells: boolean): Promise<void> {
  if (part.tagId !== undefined) return move(tx, by, post.topic, part.tagId)
  if (part.status !== undefined) return putStatus(tx, by, post, { ...part, tells })
  const { pin, featuredAt, sunkAt, takesComments } = part
  await order(tx, post.topic, {
    ...(pin !== undefined && { pin }),
    ...(takesComments !== undefined && { takesComments }),
    ...(featuredAt !== undefined && { featuredAt: featuredAt === null ? null : new Date(featuredAt) }),
    ...(sunkAt !== undefined && { sunkAt: sunkAt === null ? null : new Date(sunkAt) }),
  })
}

type Told = Part & { tells: boolean }

async function putStatus(tx: Db, hand: Staff, post: comments.Post, part: Told): Promise<void> {
  const { status, deletedBy, deletedAt, deletedReason, tells } = part
  if (status !== 'deleted') return putBack(tx, hand, post, { tells })
  const by = deletedBy ?? 'staff'
  const removal = by === 'staff' && { removal: { by: hand.staff.id } }
  await post.takeDown({ by, reason: deletedReason ?? null, tells, ...removal, ...(deletedAt && { at: new Date(deletedAt) }) })
}

async function takeDown(_: Db, { staff }: Staff, post: comments.Post, { reason, tells = true }: Wish): Promise<void> {
  await post.takeDown({ by: 'staff', reason: reason || null, tells, removal: { by: staff.id } })
}

async function putBack(tx: Db, by: Staff, post: comments.Post, { tells = true }: Wish): Promise<void> {
  await refuseOwn(tx, by, post)
  await post.putBack({ tells })
}

async function order(tx: Db, topic: topics.Topic, to: topics.Order): Promise<void> {
  // Whatever is sunk or featured stays so since then.
  if ((to.sunkAt && topic.sunkAt) || (to.featuredAt && topic.isFeatured)) return
  await topics.keepOrder(tx, topic, to)
  if (to.sunkAt === undefined) return
  await topics.lastSaid(tx, topic, await comments.newestUnder(tx, topic.id))
}

/** What is carried elsewhere may be read there by others: whoever may not read posts carries none. */
export function mustRead(by: Staff): void {
  if (!by.staff.may('content.view')) throw NotAllowed()
}

async function move(tx: Db, by: Staff, topic: topics.Topic, tagId: string | undefined): Promise<void> {
  if (tagId === undefined) throw TagNotOpen()
  mustRead(by)
  const to = await tag.toPublishIn(tx, by, tagId)
  if (to.id === topic.tagId) return
  const tallies = await comments.tallyUnder(tx, topic.id)
  await user.lostAll(tx, topic.tagId, tallies)
  await user.wroteAll(tx, to.id, tallies)
  await topics.move(tx, topic, to)
}
