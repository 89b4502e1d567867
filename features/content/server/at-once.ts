import type { Output, Refusal, ParsedInput } from '#base/contract.ts'
import { filterOf } from '#base/list.ts'
import type { Db } from '#base/server/database/database.ts'
import { resolveSelection, parseFilter } from '#base/server/database/bulk-selection.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import * as batch from '#batch/server/batch.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff, type doAtOnce } from '#content/contract.ts'
import { moves, type MoveName } from '#content/move-contract.ts'
import { calledIn } from '#content/server/called-in.ts'
import { changed, kindOf, putAs, standingFor } from '#content/server/deeds.ts'
import { commentsIn, repliesIn, topicsIn } from '#content/server/lists.ts'
import type { Trace } from '#content/server/move.ts'
import { isAsLeft } from '#content/server/standing.ts'
import { tellAuthors } from '#content/server/tell-authors.ts'
import { undoMove } from '#content/server/undo-move.ts'
import { deedNames, rightOf, type DeedName } from '#content/views.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

type BulkParams = ParsedInput<typeof doAtOnce>

/** The bulk actions on posts. */
const ofPosts: batch.Things = {
  seenWith: 'content.view',
  need(deed) {
    if (isMove(deed)) return { right: 'content.edit', isOneGo: true }
    return isKnown(deed) ? { right: rightOf[deed] } : null
  },
  doTo: (tx, by, { deed, id, wish: { reason, tagId } }) =>
    changed(tx, by, deed as DeedName, id, { reason, tagId: tagId as string | undefined, tells: false }),
  undo: (tx, by, item) => (isMove(item.deed) ? undoMove(tx, item.deed, item.id, item.after as Trace) : putBack(tx, by, item)),
  calledIn,
  tell: (tx, about, done) => tellAuthors(tx, { ...about, kind: about.kind as Kind }, done),
}

export const bulkTargets = { topic: ofPosts, comment: ofPosts, reply: ofPosts }

export async function begin(tx: Db, by: Staff, client: ClientInfo, asked: BulkParams): Promise<Output<typeof doAtOnce>> {
  const { deed, reason, tagId } = asked
  staff(rightOf[deed])(by)
  if (deed.endsWith('.remove') && !reason) throw ReasonNeeded()
  const kind = kindOf(deed)
  const ids = await meantIn(tx, kind, asked)
  return batch.begin(tx, by, client, ofPosts, { kind, deed, ids, wish: { reason, ...(tagId && { tagId }) }, all: filterOf(asked) })
}

function meantIn(tx: Db, kind: Kind, asked: BulkParams): Promise<string[]> {
  if (kind === 'topic') return resolveSelection(tx, asked, (all) => topicsIn(tx, parseFilter(topicsForStaff, all)))
  if (kind === 'comment') return resolveSelection(tx, asked, (all) => commentsIn(tx, parseFilter(commentsForStaff, all)))
  return resolveSelection(tx, asked, (all) => repliesIn(tx, parseFilter(repliesForStaff, all)))
}

async function putBack(tx: Db, by: Staff, { deed, id, before, after }: batch.Item & batch.Change): Promise<Refusal | undefined> {
  const kind = kindOf(deed)
  const post = await posts.lockPost(tx, kind, id)
  // Also for a post that was restored since: it stays visible, and the rest of the undo is refused.
  if ('status' in before) await posts.detachFromAppeals(tx, [{ kind, id }])
  if (!isAsLeft(await standingFor(tx, deed, post), after)) return UndoneAlready()
  await putAs(tx, by, post, before, false)
  return undefined
}

function isMove(deed: string): deed is MoveName {
  return (moves as readonly string[]).includes(deed)
}

function isKnown(deed: string): deed is DeedName {
  return (deedNames as readonly string[]).includes(deed)
}
