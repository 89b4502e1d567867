import type { Lock } from '#base/rich-text/document.ts'
import type { Page, Range, SourceFavourite, SourceFollow, SourceLike, SourceUnlock } from '#importer/server/source.ts'
import { pagesInTurn } from '#importer/server/tables/pages.ts'
import { id, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { shardReads, timeOf, type Diyhi } from '#importer/server/diyhi/source.ts'

const locks = new Map<number, Lock>([
  [10, 'password'],
  [40, 'points'],
  [50, 'balance'],
])

/** Those who opened the parts of one kind in a topic; parts behind comments and grades open by themselves. */
export async function* unlocks({ tables, decode }: Diyhi, { after }: Range): AsyncGenerator<Page<SourceUnlock>> {
  yield* pagesInTurn(tables, shardReads('topicunhide', ['userName', 'hideTagType', 'topicId']), after, (rows) =>
    rows.flatMap((row) => {
      const lock = locks.get(integer(row, 'hideTagType'))
      return lock ? [{ threadId: `topic/${id(row, 'topicId')}`, memberId: text(row, 'userName', decode), lock }] : []
    }),
  )
}

/** What is liked, by the kind that a like has. */
const liked = new Map([
  [10, ['topic', 'topicId']],
  [20, ['comment', 'commentId']],
  [30, ['reply', 'commentReplyId']],
  [40, ['question', 'questionId']],
  [50, ['answer', 'answerId']],
  [60, ['answer-reply', 'answerReplyId']],
] as const)

export async function* likes(diyhi: Diyhi, { after }: Range): AsyncGenerator<Page<SourceLike>> {
  const columns = ['userName', 'addtime', 'module', ...[...liked.values()].map(([, column]) => column)]
  yield* pagesInTurn(diyhi.tables, shardReads('like', columns), after, (rows) =>
    rows.flatMap((row) => {
      const [kind, column] = liked.get(moduleOf(row) as 10) ?? []
      return kind ? [{ postId: `${kind}/${id(row, column)}`, ...byMember(diyhi, row) }] : []
    }),
  )
}

export async function* favourites(diyhi: Diyhi, { after }: Range): AsyncGenerator<Page<SourceFavourite>> {
  const columns = ['userName', 'addtime', 'module', 'topicId', 'questionId']
  yield* pagesInTurn(diyhi.tables, shardReads('favorites', columns), after, (rows) =>
    rows.map((row) => {
      const threadId = moduleOf(row) === 20 ? `question/${id(row, 'questionId')}` : `topic/${id(row, 'topicId')}`
      return { threadId, ...byMember(diyhi, row) }
    }),
  )
}

/** A row of a version that knew topics alone has no kind. */
function moduleOf(row: Row): number {
  return integer(row, 'module') || 10
}

function byMember(diyhi: Diyhi, row: Row): { memberId: string; at: Date | null } {
  return { memberId: text(row, 'userName', diyhi.decode), at: timeOf(diyhi, row, 'addtime') }
}

export async function* follows(diyhi: Diyhi, { after }: Range): AsyncGenerator<Page<SourceFollow>> {
  yield* pagesInTurn(diyhi.tables, shardReads('follow', ['userName', 'friendUserName', 'addtime']), after, (rows) =>
    rows.map((row) => ({
      of: 'member' as const,
      id: text(row, 'friendUserName', diyhi.decode),
      level: 'watching' as const,
      ...byMember(diyhi, row),
    })),
  )
}
