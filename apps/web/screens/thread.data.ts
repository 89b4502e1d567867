import { redirect } from 'react-router'
import type { Api, RawInput, Output } from '#base/contract.ts'
import { idIn, numberIn, pageIn, type Head, type Language, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import { threadPath } from '#kind/contract.ts'
import type { listComments, movedThread, myThread } from '#comment/contract.ts'
import { orderIn } from '#comment/web/order.ts'
import type { RevealedParts } from '#hidden-part/web/hidden-part.tsx'
import { loadRevealed } from '#hidden-part/web/revealed.ts'
import type { ownWaiting } from '#review/contract.ts'
import type { similarTopics, topicAuthor } from '#topic/similar-contract.ts'
import type { hotTopics, thread as threadCall } from '#topic/contract.ts'

const shared = { shared: true }
const beside = { shared: true, silent: true }

export type MemberThread = Output<typeof myThread>
export type ThreadData = {
  topic: Output<typeof threadCall>
  list: Output<typeof listComments>
  author: Output<typeof topicAuthor>
  similar: Output<typeof similarTopics>['topics']
  hot: Output<typeof hotTopics>['topics']
  /** Null for visitors, who can only read. */
  mine: MemberThread | null
  /** The hidden parts revealed to the member; null without any, and for visitors. */
  revealed: RevealedParts
  /** The member's own posts here that await review. */
  pending: Output<typeof ownWaiting>['posts']
}

/** The comments a query asks for: a page, or the page with a given comment or reply. */
export function commentParamsIn(query: URLSearchParams): RawInput<typeof listComments> {
  const [topicId = idIn(query, 'questionId'), commentId, replyId] = ['topicId', 'commentId', 'replyId'].map((name) => idIn(query, name))
  if (!topicId) throw new Response('base.missing', { status: 404 })
  const floor = numberIn(query, 'floor')
  const target = { ...(commentId && { commentId }), ...(replyId && { replyId }), ...(floor > 0 && floor < 2_000_000_000 && { floor }) }
  return {
    topicId,
    order: orderIn(query, idIn(query, 'topicId') ? 'topic' : 'question'),
    onlyAuthor: query.get('onlyAuthor') === 'true',
    ...(query.has('page') ? { page: pageIn(query) } : target),
  }
}

export async function loadThread(args: LoaderArgs): Promise<ThreadData> {
  try {
    const data = await loadHere(args)
    redirectToKind(args, data.topic)
    return data
  } catch (error) {
    if (!isMissingFor(error)) throw error
    throw (await movedRedirect(args)) ?? error
  }
}

/** A thread has one address: the address of the other kind redirects permanently. */
function redirectToKind({ url }: LoaderArgs, { id, kind }: ThreadData['topic']): void {
  const path = threadPath(id, kind)
  if (path.startsWith(`${url.pathname}?`)) return
  const rest = new URLSearchParams(url.searchParams)
  for (const name of ['topicId', 'questionId']) rest.delete(name)
  throw redirect(`${path}${rest.size > 0 ? `&${rest}` : ''}`, 301)
}

function isMissingFor(error: unknown): boolean {
  return error instanceof Object && 'status' in error && error.status === 404
}

/** The redirect to its current place, if it moved. */
async function movedRedirect({ api, url }: LoaderArgs): Promise<Response | null> {
  const { topicId, commentId, replyId, floor } = commentParamsIn(url.searchParams)
  const params = { topicId, ...(commentId && { commentId }), ...(replyId && { replyId }), ...(floor && { floor }) }
  try {
    const place = await api.read<typeof movedThread>('/thread/moved', params, shared)
    const [name, id] = place.replyId ? ['replyId', place.replyId] : ['commentId', place.commentId]
    return redirect(`${threadPath(place.topicId, place.kind)}${id ? `&${name}=${id}` : ''}`, 301)
  } catch (error) {
    if (isMissingFor(error)) return null
    throw error
  }
}

async function loadHere({ api, url, isMember, language, isMissing, shown }: LoaderArgs): Promise<ThreadData> {
  const wish = commentParamsIn(url.searchParams)
  const { topicId } = wish
  const request = api.read<typeof threadCall>('/thread', { topicId }, { shared: true, allows404: true })
  // A missing thread has no further data to request.
  if (isMissing) await request
  const before = shown?.[url.pathname] as ThreadData | undefined
  const others = Promise.all([
    api.read<typeof listComments>('/comment/list', wish, beside),
    before?.topic.id === topicId ? before : loadBeside(api, topicId, language),
  ])
  // The topic's call states why it cannot be read; the other calls only know that it is missing.
  others.catch(() => undefined)
  const topic = await request
  const [list, { author, similar, hot }] = await others
  const commentIds = list.comments.map((comment) => comment.id)
  const [mine, seen] = isMember
    ? await Promise.all([
        api.read<typeof myThread>('/comment/mine', { topicId, commentIds }, { silent: true }),
        loadRevealed(api, topicId, [topic, ...list.comments]),
      ])
    : [null, null]
  const { posts: waiting } = mine?.hasWaiting
    ? await api.read<typeof ownWaiting>('/user/control/waitingList', { topicId }, { silent: true })
    : { posts: [] }
  return { topic, list, author, similar, hot, mine, revealed: seen, pending: waiting.filter(({ kind }) => kind !== 'topic') }
}

/** What stands beside a thread. */
async function loadBeside(api: Api, topicId: string, language: Language): Promise<Pick<ThreadData, 'author' | 'similar' | 'hot'>> {
  const [author, { topics: similar }, { topics: hot }] = await Promise.all([
    api.read<typeof topicAuthor>('/topic/author', { topicId }, beside),
    api.read<typeof similarTopics>('/topic/similar', { topicId }, beside),
    api.read<typeof hotTopics>('/topic/hot', { language }, beside),
  ])
  return { author, similar, hot }
}

export function headOfThread({ topic, list }: ThreadData): Head {
  const [picture] = topic.pictures
  return {
    title: topic.title,
    description: topic.summary,
    canonical: `${threadPath(topic.id, topic.kind)}${list.page > 1 ? `&page=${list.page}` : ''}`,
    kind: 'article',
    picture: picture ?? { src: `/share/${topic.id}.png`, width: 1200, height: 630 },
  }
}

export const threadParameters = ['page', 'order', 'onlyAuthor', 'commentId', 'replyId', 'floor']

export const thread: Screen = {
  path: '/thread',
  file: '/apps/web/screens/thread.tsx',
  load: loadThread,
  head: headOfThread,
  isPublic: true,
  parameters: ['topicId', ...threadParameters],
}
