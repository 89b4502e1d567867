import type { Input, Output } from '#base/contract.ts'
import type { Head, Question, Screen } from '#apps/web/screen.ts'
import type { listComments, myThread } from '#comment/contract.ts'
import type { similarTopics, thread as threadCall } from '#topic/contract.ts'

const shared = { shared: true }

export type Mine = Output<typeof myThread>
export type ThreadData = {
  topic: Output<typeof threadCall>
  list: Output<typeof listComments>
  similar: Output<typeof similarTopics>['topics']
  /** Null for visitors, who may do nothing here but read. */
  mine: Mine | null
}

/** Which comments the address asks for: a page, or the one that holds a comment or reply. */
export function wishOf(query: URLSearchParams): Input<typeof listComments> {
  const [commentId, replyId] = [query.get('commentId'), query.get('replyId')]
  const page = Math.trunc(Number(query.get('page')))
  return {
    topicId: query.get('topicId') ?? '',
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    onlyAuthor: query.get('onlyAuthor') === 'true',
    ...(page >= 1 ? { page } : { ...(commentId && { commentId }), ...(replyId && { replyId }) }),
  }
}

async function load({ api, url, isMember }: Question): Promise<ThreadData> {
  const wish = wishOf(url.searchParams)
  const { topicId } = wish
  if (!/^\d{1,18}$/.test(topicId)) throw new Response('base.missing', { status: 404 })
  const [topic, list, { topics: similar }] = await Promise.all([
    api.read<typeof threadCall>('/thread', { topicId }, shared),
    api.read<typeof listComments>('/comment/list', wish, shared),
    api.read<typeof similarTopics>('/topic/similar', { topicId }, shared),
  ])
  const commentIds = list.comments.map((comment) => comment.id)
  const mine = isMember ? await api.read<typeof myThread>('/comment/mine', { topicId, commentIds }, { silent: true }) : null
  return { topic, list, similar, mine }
}

function head({ topic, list }: ThreadData): Head {
  const [picture] = topic.pictures
  return {
    title: topic.title,
    description: topic.summary,
    canonical: `/thread?topicId=${topic.id}${list.page > 1 ? `&page=${list.page}` : ''}`,
    kind: 'article',
    ...(picture && { picture }),
  }
}

export const thread: Screen = {
  path: '/thread',
  file: './screens/thread.tsx',
  load,
  head,
  isPublic: true,
  parameters: ['topicId', 'page', 'order', 'onlyAuthor', 'commentId', 'replyId'],
}
