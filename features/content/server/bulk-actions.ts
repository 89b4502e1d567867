import type { Output, Refusal, ParsedInput } from '#base/contract.ts'
import { filterOf } from '#base/list.ts'
import type { Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff, type doAtOnce } from '#content/contract.ts'
import { moves, type MoveName } from '#content/move-contract.ts'
import { filterLabels } from '#content/server/filter-labels.ts'
import { applyUnlogged, kindOf, revertTo, stateFor } from '#content/server/deeds.ts'
import { commentQuery, replyQuery, topicQuery } from '#content/server/lists.ts'
import type { MoveTrace } from '#content/server/move.ts'
import { isUnchanged } from '#content/server/post-state.ts'
import { notifyAuthors } from '#content/server/notify-authors.ts'
import { undoMove } from '#content/server/undo-move.ts'
import { deedNames, rightOf, type DeedName } from '#content/views.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

type BulkParams = ParsedInput<typeof doAtOnce>

/** The bulk actions on posts. */
const postTargets: batch.BulkTarget = {
  viewRight: 'content.view',
  requirements(deed) {
    if (isMove(deed)) return { right: 'content.edit', isOneGo: true }
    return isBulkAction(deed) ? { right: rightOf[deed] } : null
  },
  apply: (tx, by, { deed, id, input: { reason, tagId } }) =>
    applyUnlogged(tx, by, deed as DeedName, id, { reason, tagId: tagId as string | undefined, notifies: false }),
  undo: (tx, by, item) => (isMove(item.deed) ? undoMove(tx, item.deed, item.id, item.after as MoveTrace) : revert(tx, by, item)),
  filterNames: filterLabels,
  notify: (tx, about, done) => notifyAuthors(tx, { ...about, kind: about.kind as Kind }, done),
}

export const bulkTargets = { topic: postTargets, comment: postTargets, reply: postTargets }

export async function begin(tx: Db, by: Staff, client: ClientInfo, params: BulkParams): Promise<Output<typeof doAtOnce>> {
  const { deed, reason, tagId } = params
  staff(rightOf[deed])(by)
  if (deed.endsWith('.remove') && !reason) throw ReasonNeeded()
  const kind = kindOf(deed)
  const ids = await selectedIds(tx, kind, params)
  return batch.begin(tx, by, client, postTargets, { kind, deed, ids, input: { reason, ...(tagId && { tagId }) }, filter: filterOf(params) })
}

function selectedIds(tx: Db, kind: Kind, params: BulkParams): Promise<string[]> {
  if (kind === 'topic') return resolveSelection(tx, params, (all) => topicQuery(tx, parseFilter(topicsForStaff, all)))
  if (kind === 'comment') return resolveSelection(tx, params, (all) => commentQuery(tx, parseFilter(commentsForStaff, all)))
  return resolveSelection(tx, params, (all) => replyQuery(tx, parseFilter(repliesForStaff, all)))
}

async function revert(tx: Db, by: Staff, { deed, id, before, after }: batch.Item & batch.Change): Promise<Refusal | undefined> {
  const kind = kindOf(deed)
  const post = await posts.lockPost(tx, kind, id)
  // Also for a post that was restored since: it stays visible, and the rest of the undo is refused.
  if ('status' in before) await posts.detachFromAppeals(tx, [{ kind, id }])
  if (!isUnchanged(await stateFor(tx, deed, post), after)) return UndoneAlready()
  await revertTo(tx, by, post, before, false)
  return undefined
}

function isMove(deed: string): deed is MoveName {
  return (moves as readonly string[]).includes(deed)
}

function isBulkAction(deed: string): deed is DeedName {
  return (deedNames as readonly string[]).includes(deed)
}
