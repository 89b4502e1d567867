import type { bountyForStaff } from '#bounty/contract.ts'
import type { Screen } from '#apps/admin/screen.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import { redirect } from 'react-router'
import type { batchesAtWork, BulkTargetKind } from '#batch/contract.ts'
import type { Api, Output, ParsedInput } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import {
  commentsForStaff,
  remarksForStaff,
  repliesForStaff,
  topicsForStaff,
  type movedForStaff,
  type placesForStaff,
  type topicForStaff,
} from '#content/contract.ts'
import { unlocksPage } from '#hidden-part/admin/hidden-part.tsx'
import type { unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { tagsForStaff } from '#tag/contract.ts'

const features = '../../features'

/** Content: the review queue, posts, and their tags. */
export const contentScreens: readonly Screen[] = [
  {
    path: '/admin/topic',
    file: `${features}/content/admin/topics-page.tsx`,
    title: 'contentAdmin.topics',
    right: 'content.view',
    group: 'content',
    load: (question) => withTagsAndBatches(question.api, 'topic', listLoader(topicsForStaff)(question)),
  },
  {
    path: '/admin/topic/view',
    file: `${features}/content/admin/topic-page.tsx`,
    title: 'contentAdmin.topic',
    titleOf: ({ topic }: { topic: Output<typeof topicForStaff> }) => topic.title,
    right: 'content.view',
    load: async ({ api, url }) => {
      const asked = listQuery(remarksForStaff, url)
      try {
        const [topic, remarks, { tags }, { bounty }, unlocks] = await Promise.all([
          api.read<typeof topicForStaff>('/admin/topic/view', { topicId: asked.topicId }),
          api.read<typeof remarksForStaff>('/admin/topic/remarks', asked),
          api.read<typeof placesForStaff>('/admin/topic/tags', {}),
          api.read<typeof bountyForStaff>('/admin/bounty', { topicId: asked.topicId }),
          mayDo('wallet.view') ? unlocksOf(api, url) : null,
        ])
        return { topic, remarks, tags, bounty, unlocks }
      } catch (error) {
        if (!(error instanceof CallFailed) || error.status !== 404) throw error
        return await redirectToPost(api, asked)
      }
    },
  },
  {
    path: '/admin/comment',
    file: `${features}/content/admin/remarks-page.tsx`,
    title: 'contentAdmin.comments',
    right: 'content.view',
    group: 'content',
    load: (question) => withTagsAndBatches(question.api, 'comment', listLoader(commentsForStaff)(question)),
  },
  {
    path: '/admin/reply',
    file: `${features}/content/admin/remarks-page.tsx`,
    title: 'contentAdmin.replies',
    right: 'content.view',
    group: 'content',
    load: (question) => withTagsAndBatches(question.api, 'reply', listLoader(repliesForStaff)(question)),
  },
  {
    path: '/admin/tag',
    file: `${features}/content/admin/tags-page.tsx`,
    title: 'contentAdmin.tags',
    right: 'tag.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof tagsForStaff>('/admin/tag/list', {}),
  },
]

function unlocksOf(api: Api, { searchParams }: URL) {
  const [topicId, page] = [searchParams.get('topicId') ?? '', Number(searchParams.get(unlocksPage) ?? 1)]
  return api.read<typeof unlocksForStaff>('/admin/hiddenPart/unlocks', { topicId, page })
}

// A merged or moved post redirects to its current place.
async function redirectToPost(api: Api, { topicId, commentId, replyId }: ParsedInput<typeof remarksForStaff>): Promise<Response> {
  const asked = { topicId, ...(commentId && { commentId }), ...(replyId && { replyId }) }
  const place = await api.read<typeof movedForStaff>('/admin/topic/moved', asked)
  const [name, id] = place.replyId ? ['replyId', place.replyId] : ['commentId', place.commentId]
  return redirect(`/admin/topic/view?topicId=${place.topicId}${id ? `&${name}=${id}` : ''}`)
}

async function withTagsAndBatches<Page>(api: Api, kind: BulkTargetKind, list: Promise<Page>) {
  const [page, { tags }, { batches: atWork }] = await Promise.all([
    list,
    api.read<typeof placesForStaff>('/admin/topic/tags', {}),
    api.read<typeof batchesAtWork>('/admin/batch/atWork', { kind }),
  ])
  return { kind, page, tags, atWork }
}
