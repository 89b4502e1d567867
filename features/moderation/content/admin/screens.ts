import { listLoader, listQuery } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Api, Output, ParsedInput } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import type { batchesAtWork, BulkTargetKind } from '#batch/contract.ts'
import type { bountyForStaff } from '#bounty/contract.ts'
import { findTopics } from '#content/admin/find-topics.ts'
import { remarksForStaff, type movedForStaff, type placesForStaff, type topicForStaff } from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { unlocksPage } from '#hidden-part/admin/hidden-part.tsx'
import type { unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { tagsForStaff } from '#tag/contract.ts'
import { redirect } from 'react-router'

export const screens: readonly Screen[] = [
  {
    path: '/admin/topic',
    page: () => import('#content/admin/topics-page.tsx'),
    title: 'contentAdmin.topics',
    right: 'content.view',
    group: 'content',
    aliases:
      'threads posts articles trash bin recycle deleted removed pin pinned sticky highlight digest close move merge split 主题 帖子 发帖 文章 回收站 已删除 置顶 精华 加精 锁帖 关闭话题 移动 合并 拆分',
    finder: { title: 'contentAdmin.topics', right: 'content.view', find: findTopics },
    load: (question) => withTagsAndBatches(question.api, 'topic', listLoader(topicsForStaff)(question)),
  },
  {
    path: '/admin/topic/view',
    page: () => import('#content/admin/topic-page.tsx'),
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
    page: () => import('#content/admin/remarks-page.tsx'),
    title: 'contentAdmin.comments',
    right: 'content.view',
    group: 'content',
    aliases: 'posts floors trash bin recycle deleted removed 跟帖 回帖 楼层 留言 回收站 已删除',
    load: (question) => withTagsAndBatches(question.api, 'comment', listLoader(commentsForStaff)(question)),
  },
  {
    path: '/admin/reply',
    page: () => import('#content/admin/remarks-page.tsx'),
    title: 'contentAdmin.replies',
    right: 'content.view',
    group: 'content',
    aliases: 'posts answers trash bin recycle deleted removed 楼中楼 点评 回收站 已删除',
    load: (question) => withTagsAndBatches(question.api, 'reply', listLoader(repliesForStaff)(question)),
  },
  {
    path: '/admin/tag',
    page: () => import('#content/admin/tags-page.tsx'),
    title: 'contentAdmin.tags',
    right: 'tag.manage',
    group: 'content',
    aliases: 'categories category sections boards forums subforums nodes 版块 板块 分类 分区 节点 栏目 专区',
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
