import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { picturesOf } from '#base/rich-text/to-text.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import type { SourcePost, SourceState } from '#importer/server/source.ts'
import type { References } from '#importer/server/write/documents.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { nameOf, type Kind, type ThreadKind } from '#kind/contract.ts'

const picturesInLists = 5

/** The columns that posts of every kind share. What was deleted softly there is removed by staff here, who can restore it. */
export function postColumns(
  { now }: ImportContext,
  post: Pick<SourcePost, 'state' | 'publishedAt' | 'editedAt' | 'aiLabel' | 'deletion'>,
  authorId: string,
  document: Doc,
  segments: readonly Segment[],
) {
  const byStaff = { by: 'staff', from: 'published', at: now, reason: null } as const
  const deletion = post.state === 'deleted' ? (post.deletion ?? byStaff) : null
  return {
    author_id: authorId,
    body: document as never,
    segments: segments as never,
    status: post.state,
    deleted_by: deletion?.by ?? null,
    deleted_from: deletion?.from ?? null,
    deleted_at: deletion?.at ?? null,
    deleted_reason: deletion?.reason ?? null,
    ai_label: post.aiLabel ?? null,
    published_at: post.publishedAt,
    edited_at: post.editedAt,
    version: 1,
  }
}

/** The first pictures of a post, as lists show them. */
export function picturesForList(document: Doc, { picture }: Pick<References, 'picture'>): never {
  const unique = new Map(picturesOf(document).map((attrs) => [attrs.file, attrs]))
  const shown = [...unique.values()].flatMap((attrs) => picture(attrs) ?? [])
  return shown.slice(0, picturesInLists).map(({ src, width, height, ground }) => ({ src, width, height, ground })) as never
}

type RewardedPost = { kind: Kind; id: string; authorId: string; thread: ThreadKind; state: SourceState }

/** Posts that came along earn nothing: their points came as a balance. A row of none keeps the books complete. */
export async function rewardRows(tx: Db, posts: readonly RewardedPost[]): Promise<void> {
  const shown = posts.filter(({ state }) => state === 'published')
  if (shown.length === 0) return
  await insertRows(
    tx,
    'reward',
    shown.map(({ kind, id, authorId, thread }) => ({
      post_kind: kind,
      post_id: id,
      is_adoption: false,
      member_id: authorId,
      rule: nameOf({ kind, thread }),
      points: '0',
      round: 1,
      is_due: true,
      is_given: true,
    })),
  ).execute()
}

type FilesOfPost = { topicId: string; commentId: string | null; replyId: string | null; authorId: string; fileIds: readonly string[] }

/** Attaches the files of posts, each to one owner: the author of the post that shows it. */
export async function attachFiles(tx: Db, posts: readonly FilesOfPost[]): Promise<void> {
  for (const { topicId, commentId, replyId, authorId, fileIds } of posts) {
    if (fileIds.length === 0) continue
    await file.giveTo(tx, authorId, fileIds)
    await file.attach(tx, fileIds, { topicId, commentId: commentId ?? undefined, ...(replyId !== null && { replyId }) })
  }
}
