import { listLoader } from '#base/admin/list-query.ts'
import type { Api, Output } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import { dropDrafts } from '#base/editor/draft-store.ts'
import { reviewQueue, type openReview, type reviewTags } from '#review/contract.ts'
import { ownDrafts, ownDraftKey } from '#staff/admin/staff.tsx'

export type Queue = { page: Output<typeof reviewQueue>; opened: Output<typeof openReview> | null } & Output<typeof reviewTags>
export type Post = NonNullable<Queue['opened']>

/** A page of the queue, and the post that the URL opens; the first post, where that one is decided. */
export async function loadQueue({ api, url }: { api: Api; url: URL }): Promise<Queue> {
  const [page, { tags }] = await Promise.all([listLoader(reviewQueue)({ api, url }), api.read<typeof reviewTags>('/admin/review/tags', {})])
  await dropSettledDrafts(api, page.rows)
  const requested = url.searchParams.get('open')
  const ids = [...(requested ? [requested] : []), ...page.rows.map(({ id }) => id)].slice(0, 2)
  for (const id of ids) {
    const opened = await open(api, id)
    if (opened) return { page, tags, opened }
  }
  return { page, tags, opened: null }
}

// Drafts for posts that no longer wait are useless, and may contain text that should not be kept.
async function dropSettledDrafts(api: Api, rows: Queue['page']['rows']): Promise<void> {
  const begun = new Set(ownDrafts('review ').filter((id) => !rows.some((row) => row.id === id)))
  for (const id of begun) {
    const settled = ownDraftKey(`review ${id}`)
    if (!(await open(api, id))) dropDrafts((draftKey) => draftKey === settled)
  }
}

async function open(api: Api, reviewId: string): Promise<Queue['opened']> {
  try {
    return await api.read<typeof openReview>('/admin/review/open', { reviewId }, { silent: true })
  } catch (error) {
    // Decided by other staff, or withdrawn by the author.
    if (error instanceof CallFailed && error.status === 404) return null
    throw error
  }
}
