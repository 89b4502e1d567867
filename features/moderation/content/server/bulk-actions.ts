import type { Answer, Refusal, ParsedInput } from '#base/contract.ts'
import { filterOf } from '#base/list.ts'
import type { Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import type { doAtOnce } from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { moves, type MoveName } from '#content/move-contract.ts'
import { filterLabels } from '#content/server/filter-labels.ts'
import { applyUnlogged, kindOf, revertTo, stateFor } from '#content/server/actions.ts'
import { commentQuery, replyQuery, topicQuery } from '#content/server/lists.ts'
import type { MoveTrace } from '#content/server/move.ts'
import { isUnchanged } from '#content/server/post-state.ts'
import { notifyAuthors } from '#content/server/notify-authors.ts'
import { undoMove } from '#content/server/undo-move.ts'
import { bulkActionNames, rightOf, type BulkActionName } from '#content/views.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

type BulkParams = ParsedInput<typeof doAtOnce>

/** The bulk actions on posts. */
const postTargets: batch.BulkTarget = {
  viewRight: 'content.view',
  requirements(action) {
    if (isMove(action)) return { right: 'content.edit', isOneGo: true }
    return isBulkAction(action) ? { right: rightOf[action] } : null
  },
  apply: (tx, by, { action, id, input: { reason, tagId } }) =>
    applyUnlogged(tx, by, action as BulkActionName, id, { reason, tagId: tagId as string | undefined, notifies: false }),
  undo: (tx, by, item) => (isMove(item.action) ? undoMove(tx, item.action, item.id, item.after as MoveTrace) : revert(tx, by, item)),
  filterNames: filterLabels,
  notify: (tx, about, done) => notifyAuthors(tx, { ...about, kind: about.kind as Kind }, done),
}

export const bulkTargets = { topic: postTargets, comment: postTargets, reply: postTargets }

export async function begin(tx: Db, by: Staff, client: ClientInfo, params: BulkParams): Promise<Answer<typeof doAtOnce>> {
  const { action, reason, tagId } = params
  staff(rightOf[action])(by)
  if (action.endsWith('.remove') && !reason) throw ReasonNeeded()
  const kind = kindOf(action)
  const ids = await selectedIds(tx, kind, params)
  return batch.begin(tx, by, client, postTargets, {
    kind,
    action,
    ids,
    input: { reason, ...(tagId && { tagId }) },
    filter: filterOf(params),
  })
}

function selectedIds(tx: Db, kind: Kind, params: BulkParams): Promise<string[]> {
  if (kind === 'topic') return resolveSelection(tx, params, (all) => topicQuery(tx, parseFilter(topicsForStaff, all)))
  if (kind === 'comment') return resolveSelection(tx, params, (all) => commentQuery(tx, parseFilter(commentsForStaff, all)))
  return resolveSelection(tx, params, (all) => replyQuery(tx, parseFilter(repliesForStaff, all)))
}

async function revert(tx: Db, by: Staff, { action, id, before, after }: batch.Item & batch.Change): Promise<Refusal | undefined> {
  const kind = kindOf(action)
  const post = await posts.lockPost(tx, kind, id)
  // Also for a post that was restored since: it stays visible, and the rest of the undo is refused.
  if ('status' in before) await posts.detachFromAppeals(tx, [{ kind, id }])
  if (!isUnchanged(await stateFor(tx, action, post), after)) return UndoneAlready()
  await revertTo(tx, by, post, before, false)
  return undefined
}

function isMove(action: string): action is MoveName {
  return (moves as readonly string[]).includes(action)
}

function isBulkAction(action: string): action is BulkActionName {
  return (bulkActionNames as readonly string[]).includes(action)
}
