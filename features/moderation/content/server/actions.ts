import type { AiLabelView } from '#ai-label/contract.ts'
import * as audit from '#audit/server/audit.ts'
import { Missing, NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { refuseOwnPost } from '#content/server/own-post.ts'
import { readAdoption, changeBetween, readState, type StateChange, type PartialState } from '#content/server/post-state.ts'
import { rightOf, type BulkActionName } from '#content/views.ts'
import * as question from '#question/server/question.ts'
import { TagNotOpen } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as posts from '#post/server/post.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

/** Authors are notified of a bulk action once, and not for each item. */
export type ActionInput = { reason?: string; tagId?: string | undefined; pin?: number; notifies?: boolean }
type ApplyAction = (tx: Db, by: Staff, post: posts.Post, input: ActionInput) => Promise<void>
type ActionName = BulkActionName | 'topic.pin'

/** The actions of staff on one post, alone or in bulk. Each checks its rules before any change. */
const actions: Record<ActionName, ApplyAction> = {
  'topic.pin': (tx, _, { thread }, { pin = 0 }) => setFlags(tx, thread, { pin }),
  'topic.unpin': (tx, _, { thread }) => setFlags(tx, thread, { pin: 0 }),
  'topic.feature': (tx, _, { thread }) => setFlags(tx, thread, { featuredAt: new Date() }),
  'topic.unfeature': (tx, _, { thread }) => setFlags(tx, thread, { featuredAt: null }),
  'topic.sink': (tx, _, { thread }) => setFlags(tx, thread, { sunkAt: new Date() }),
  'topic.raise': (tx, _, { thread }) => setFlags(tx, thread, { sunkAt: null }),
  'topic.close': (tx, _, { thread }) => setFlags(tx, thread, { takesComments: false }),
  'topic.open': (tx, _, { thread }) => setFlags(tx, thread, { takesComments: true }),
  'topic.ask': (tx, _, { thread }) => topics.changeKind(tx, thread, 'question'),
  'topic.tell': (tx, _, { thread }) => topics.changeKind(tx, thread, 'topic'),
  'topic.move': (tx, by, { thread }, { tagId }) => move(tx, by, thread, tagId),
  'topic.remove': takeDown,
  'topic.restore': putBack,
  'topic.labelAi': label,
  'topic.unlabelAi': unlabel,
  'comment.labelAi': label,
  'comment.unlabelAi': unlabel,
  'reply.labelAi': label,
  'reply.unlabelAi': unlabel,
  'comment.remove': takeDown,
  'comment.restore': putBack,
  'comment.adopt': (tx, by, post, { reason = '' }) => question.adoptAsStaff(tx, by, post, { isBest: true, reason }),
  'comment.unadopt': (tx, by, post, { reason = '' }) => question.adoptAsStaff(tx, by, post, { isBest: false, reason }),
  'reply.remove': takeDown,
  'reply.restore': putBack,
}

/** Applies an action to one post and records it in the audit log, unless nothing changed. */
export async function applyAction(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { name, id, ...wish }: ActionInput & { name: ActionName; id: string },
): Promise<void> {
  if (!by.staff.may(name === 'topic.pin' ? 'content.edit' : rightOf[name])) throw NotAllowed()
  const change = await applyUnlogged(tx, by, name, id, wish)
  if (change) await note(tx, by, client, { name, id, reason: wish.reason, ...change })
}

/** Applies an action to one post without an audit entry; returns the change. */
export async function applyUnlogged(tx: Db, by: Staff, name: ActionName, id: string, input: ActionInput): Promise<StateChange | null> {
  const kind = kindOf(name)
  const post = await posts.lockPost(tx, kind, id)
  const before = await stateFor(tx, name, post)
  await actions[name](tx, by, post, input)
  return changeBetween(before, await stateFor(tx, name, post))
}

export type AuditedChange = StateChange & { name: audit.AuditEntry['action']; id: string; reason?: string | undefined }

export function note(tx: Db, by: Staff, from: Pick<ClientInfo, 'ip'>, ...all: readonly AuditedChange[]): Promise<void> {
  const entries = all.map(({ name, id, reason, before, after }) => ({
    action: name,
    about: `${kindOf(name)} ${id}`,
    ...(reason && { reason }),
    before,
    after,
  }))
  return audit.noteAll(tx, by.staff, from, entries)
}

/** The part of the post's state that this action may change. */
export async function stateFor(tx: Db, name: string, { kind, id, thread }: posts.Post): Promise<PartialState> {
  if (name.endsWith('adopt')) return readAdoption(tx, thread.id)
  return { ...(await readState(tx, kind, id)), ...(name === 'topic.tell' && (await readAdoption(tx, thread.id))) }
}

export function kindOf(name: string): Kind {
  return name.split('.')[0] as Kind
}

/** Reverts one action: the tag of a post, its status, or its place in lists. */
export async function revertTo(tx: Db, by: Staff, post: posts.Post, part: PartialState, notifies: boolean): Promise<void> {
  if (part.tagId !== undefined) return move(tx, by, post.thread, part.tagId)
  if (part.kind !== undefined) return restoreKind(tx, post.thread, part.kind, part)
  if (part.status !== undefined) return restoreStatus(tx, by, post, { ...part, notifies })
  if (part.deletedBy === 'author') return posts.returnToAuthor(tx, post)
  if (part.withdrawnAt !== undefined) return part.withdrawnAt ? posts.withdraw(tx, post.thread) : posts.unwithdraw(tx, post.thread)
  if (part.aiLabel !== undefined) return posts.setLabel(tx, post, part.aiLabel)
  if (part.adopted !== undefined) return restoreAdoption(tx, post.thread, part)
  const { pin, featuredAt, sunkAt, closedBy, takesComments = closedBy === undefined ? undefined : post.thread.takesComments } = part
  await setFlags(tx, post.thread, {
    ...(pin !== undefined && { pin }),
    ...(takesComments !== undefined && { takesComments, closedBy: closedBy ?? null }),
    ...(featuredAt !== undefined && { featuredAt: featuredAt === null ? null : new Date(featuredAt) }),
    ...(sunkAt !== undefined && { sunkAt: sunkAt === null ? null : new Date(sunkAt) }),
  })
}

/** Restores the accepted answer of a question with its time. */
async function restoreAdoption(
  tx: Db,
  thread: posts.Thread,
  { adopted, adoptedAt: at, adoptedBy: staffId = null }: PartialState,
): Promise<void> {
  if (!adopted || !at) return posts.unadopt(tx, thread)
  const answer = await posts.lockPost(tx, 'comment', adopted)
  if (answer.status !== 'published' || answer.thread.id !== thread.id) throw Missing()
  await posts.adopt(tx, thread, answer, { at, staffId })
}

/** A topic that becomes a question again gets its former accepted answer, if that is still there. */
async function restoreKind(tx: Db, thread: posts.Thread, kind: ThreadKind, part: PartialState): Promise<void> {
  await topics.changeKind(tx, thread, kind)
  const present = await posts.visibleUnder(tx, thread)
  if (part.adopted && present.some((one) => one.kind === 'comment' && one.id === part.adopted)) await restoreAdoption(tx, thread, part)
}

type StatusChange = PartialState & { notifies: boolean }

async function restoreStatus(tx: Db, actor: Staff, post: posts.Post, part: StatusChange): Promise<void> {
  const { status, deletedBy, deletedAt, deletedReason, notifies } = part
  if (status !== 'deleted') return putBack(tx, actor, post, { notifies })
  const by = deletedBy ?? 'staff'
  const removal = by === 'staff' && { removal: { by: actor.staff.id } }
  await posts.takeDown(tx, [post], {
    by,
    reason: deletedReason ?? null,
    notifies,
    ...removal,
    ...(deletedAt && { at: new Date(deletedAt) }),
  })
}

async function takeDown(tx: Db, { staff }: Staff, post: posts.Post, { reason, notifies = true }: ActionInput): Promise<void> {
  await posts.takeDown(tx, [post], { by: 'staff', reason: reason || null, notifies, removal: { by: staff.id } })
}

async function putBack(tx: Db, by: Staff, post: posts.Post, { notifies = true }: ActionInput): Promise<void> {
  if (post.kind === 'topic' && post.status === 'published' && post.thread.isWithdrawn) return posts.unwithdraw(tx, post.thread)
  await refuseOwnPost(tx, by, post)
  await posts.putBack(tx, [post], { notifies })
}

async function label(tx: Db, _: Staff, post: posts.Post, input: ActionInput): Promise<void> {
  if (post.aiLabel !== 'staff') await relabel(tx, post, 'staff', input)
}

async function unlabel(tx: Db, _: Staff, post: posts.Post, input: ActionInput): Promise<void> {
  if (post.aiLabel) await relabel(tx, post, null, input)
}

async function relabel(tx: Db, post: posts.Post, to: AiLabelView, { reason = '', notifies = true }: ActionInput): Promise<void> {
  await posts.setLabel(tx, post, to)
  if (notifies) await posts.notifyLabelled(tx, post, to, reason)
}

async function setFlags(tx: Db, topic: posts.Thread, to: topics.TopicFlags): Promise<void> {
  // A sunk or featured topic keeps its original time.
  if ((to.sunkAt && topic.sunkAt) || (to.featuredAt && topic.isFeatured)) return
  await topics.updateFlags(tx, topic, to)
}

/** A move may change who can read posts, so it requires the right to read them. */
export function requireReadRight(by: Staff): void {
  if (!by.staff.may('content.view')) throw NotAllowed()
}

async function move(tx: Db, by: Staff, topic: posts.Thread, tagId: string | undefined): Promise<void> {
  if (tagId === undefined) throw TagNotOpen()
  requireReadRight(by)
  const to = await tag.publishTarget(tx, by, tagId)
  if (to.id === topic.tagId) return
  await posts.moveThread(tx, topic, to)
}
