import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hides } from '#hidden-part/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'
import type { ReadyForum } from './forum.ts'
import type { LoadRequest } from './wrk.ts'

// The default setting.
const perPage = 30
const comment = says('第三泡最好喝。Infusion NUMBER is the best.')

const brotli = { 'accept-encoding': 'br' }

export type RequestRows = [name: string, asks: LoadRequest[]][]

/** Reads from the cache. */
export function warmRows({ topics, longest, pairs }: ReadyForum): RequestRows {
  const some = topics.slice(0, 300)
  return [
    ['/index, kept', [{ path: '/index' }]],
    ['/index, kept, br', [{ path: '/index', headers: brotli }]],
    ['/thread, kept', [{ path: `/thread?topicId=${longest.id}` }]],
    ['/thread, kept, br', [{ path: `/thread?topicId=${longest.id}`, headers: brotli }]],
    ['/thread, 300 kept', some.map((id) => ({ path: `/thread?topicId=${id}` }))],
    ['/api/thread, one', [{ path: `/api/thread?topicId=${longest.id}` }]],
    ['/api/thread, 300 kept', some.map((id) => ({ path: `/api/thread?topicId=${id}` }))],
    [
      'a member: /api/thread, 300 kept',
      some.map((id, n) => ({ path: `/api/thread?topicId=${id}`, headers: bearer(pairs[n % pairs.length]) })),
    ],
  ]
}

/** The calls of members who open threads that others have read. */
export async function warmViews(forum: ReadyForum): Promise<RequestRows> {
  return [['a member: a whole view, its three calls, kept', await wholeViews(forum, forum.pairs.map(bearer))]]
}

/** Fresh renders, database reads, and writes. */
export async function coldRows(forum: ReadyForum): Promise<RequestRows> {
  const { topics, longest, members, pairs } = forum
  const pages = Math.ceil(longest.floors / perPage)
  const mine = pairs.map(bearer)
  const long = await longTopics(forum)
  return [
    ['/index, made anew', listPaths(Math.min(120, Math.floor(topics.length / perPage))).map((path) => ({ path }))],
    ['/thread, made anew', topics.map((id) => ({ path: `/thread?topicId=${id}` }))],
    ['/thread of thirty comments, made anew', long.map((id) => ({ path: `/thread?topicId=${id}` }))],
    ['/api/thread, from the database', topics.map((id) => ({ path: `/api/thread?topicId=${id}` }))],
    ['/api/comment/list, any topic', topics.map((id) => ({ path: `/api/comment/list?topicId=${id}&page=1` }))],
    [`/api/comment/list, first 100 of ${pages} pages`, hundred(longest.id, 1)],
    [`/api/comment/list, last 100 of ${pages} pages`, hundred(longest.id, Math.max(1, pages - 99))],
    ['/api/search, any of 240 queries', searches().map((path) => ({ path }))],
    ['/api/search, the Chinese of these', searches(/\p{Script=Han}/u).map((path) => ({ path }))],
    ['a member: /api/thread', mine.map((headers, n) => ({ path: `/api/thread?topicId=${topics[n]}`, headers }))],
    ['a member: /api/comment/mine', mine.map((headers, n) => ({ path: `/api/comment/mine?topicId=${topics[n]}`, headers }))],
    ['a member: /api/comment/mine of a page', await minePages(forum, mine)],
    ['a member: a whole view, its three calls', await wholeViews(forum, mine)],
    ['a member: /api/topic/followed', await feeds(forum)],
    ['/api/user/control/home', members.map((id) => ({ path: `/api/user/control/home?userId=${id}` }))],
    ...(await writeRows(forum)),
    ['a member: write to another', await messageRow(forum)],
    ['a member: buy a hidden part', await purchases(forum)],
  ]
}

function bearer(pair = ''): Record<string, string> {
  return { authorization: `Bearer ${pair}` }
}

/** Makes the headers of a member's writes. */
async function writerOf(url: string): Promise<(pair: string) => Record<string, string>> {
  const token = await xsrfOf(url)
  return (pair) => ({ ...bearer(pair), ...token, 'content-type': 'application/x-www-form-urlencoded' })
}

/** Writes by members, spread over topics and comments. */
export async function writeRows({ url, topics, comments, pairs }: ReadyForum): Promise<RequestRows> {
  const writer = await writerOf(url)
  const body = new URLSearchParams({ body: JSON.stringify(comment) })
  const posted = (path: string, place: (n: number) => string) =>
    pairs.map((pair, n) => ({ path, headers: writer(pair), body: `${place(n * 7)}&${body}` }))
  const liked = (path: string) =>
    pairs.map((pair, n) => ({ path, headers: writer(pair), body: `kind=comment&id=${comments[(n * 7) % comments.length]}` }))
  return [
    ['a member: post a comment', posted('/api/comment/add', (n) => `topicId=${topics[n % topics.length]}`)],
    ['a member: reply to one', posted('/api/comment/addReply', (n) => `commentId=${comments[n % comments.length]}`)],
    ['a member: like a comment, or take it back', [...liked('/api/like/add'), ...liked('/api/like/remove')]],
  ]
}

/** Messages, from each member to the next. */
export async function messageRow({ url, members, pairs }: ReadyForum): Promise<LoadRequest[]> {
  const writer = await writerOf(url)
  const body = new URLSearchParams({ body: JSON.stringify(comment) })
  return pairs.map((pair, n) => ({
    path: '/api/user/control/addPrivateMessage',
    headers: writer(pair),
    body: `userId=${members[(n + 1) % members.length]}&key=UUID&${body}`,
  }))
}

const sellers = 20

/** Purchases of hidden parts for a point each, of several sellers, by all others. */
async function purchases({ url, topics, pairs }: ReadyForum): Promise<LoadRequest[]> {
  const writer = await writerOf(url)
  const read = async (path: string) => (await fetch(url + path)).json()
  const { tags } = (await read(`/api/thread?topicId=${topics[0]}`)) as { tags: { id: string }[] }
  const buyers = pairs.slice(sellers)
  const offers = await Promise.all(pairs.slice(0, sellers).map((pair) => partOf(writer(pair))))
  return buyers.flatMap((pair) =>
    offers.map((partId) => ({ path: '/api/hiddenPart/buy', headers: writer(pair), body: `partId=${partId}&price=1` })),
  )

  /** A hidden part in a new topic. */
  async function partOf(headers: Record<string, string>): Promise<string> {
    const text = randomUUID()
    const body = JSON.stringify(documentWith(...says(text).content, hides('points', '1', text)))
    const published = await fetch(`${url}/api/topic/publish`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: new URLSearchParams({ tagId: tags[0]?.id ?? '', title: 'For a point', body }),
    })
    const { topicId } = (await published.json()) as { topicId: string }
    const { segments } = (await read(`/api/thread?topicId=${topicId}`)) as { segments: { hidden?: { id: string } }[] }
    const [partId] = segments.flatMap(({ hidden }) => hidden?.id ?? [])
    if (!partId) throw new Error('The topic has no hidden part')
    return partId
  }
}

/** The personal call of pages: with the comments that they show. */
async function minePages({ url, topics, longest }: ReadyForum, mine: readonly Record<string, string>[]): Promise<LoadRequest[]> {
  const lists = [...hundred(longest.id, 1), ...topics.slice(0, 100).map((id) => ({ path: `/api/comment/list?topicId=${id}` }))]
  const pages = await Promise.all(
    lists.map(async ({ path }) => {
      const { comments } = (await (await fetch(url + path)).json()) as { comments: { id: string }[] }
      const topicId = new URL(path, url).searchParams.get('topicId') ?? ''
      return new URLSearchParams([['topicId', topicId], ...comments.map(({ id }) => ['commentIds', id])])
    }),
  )
  return mine.map((headers, n) => ({ path: `/api/comment/mine?${pages[n % pages.length]}`, headers }))
}

/** The feed of each member, who follows five others. */
async function feeds({ url, members, pairs }: ReadyForum): Promise<LoadRequest[]> {
  const writer = await writerOf(url)
  for (const [n, pair] of pairs.entries()) {
    const followed = Array.from({ length: 5 }, (_, step) => members[(n + 1 + step * 17) % members.length] ?? '')
    const added = followed.map((id) =>
      fetch(`${url}/api/follow/add`, { method: 'POST', headers: writer(pair), body: new URLSearchParams({ of: 'member', id }) }),
    )
    if ((await Promise.all(added)).some(({ ok }) => !ok)) throw new Error('Following a member was refused')
  }
  return pairs.map((pair) => ({ path: '/api/topic/followed', headers: bearer(pair) }))
}

/** The calls of a member's browser that opens a thread: one view is three of these. */
async function wholeViews(forum: ReadyForum, mine: readonly Record<string, string>[]): Promise<LoadRequest[]> {
  const pages = await minePages(forum, mine)
  return pages.flatMap(({ path, headers = {} }) => {
    const topicId = new URL(path, forum.url).searchParams.get('topicId')
    return [
      { path: `/api/thread?topicId=${topicId}`, headers },
      { path: `/api/comment/list?topicId=${topicId}`, headers },
      { path, headers },
    ]
  })
}

/** Topics whose first page is full. */
async function longTopics({ url, topics }: ReadyForum): Promise<string[]> {
  const found: string[] = []
  for (const topicId of topics) {
    const { total } = (await (await fetch(`${url}/api/comment/list?topicId=${topicId}`)).json()) as { total: number }
    if (total >= perPage) found.push(topicId)
    if (found.length === 300) break
  }
  return found
}

function hundred(topicId: string, from: number): LoadRequest[] {
  return Array.from({ length: 100 }, (_, n) => ({ path: `/api/comment/list?topicId=${topicId}&page=${from + n}` }))
}

// Real search terms.
function searches(of = /./): string[] {
  const file = new URL('../features/threads/search/testing/relevance/queries.txt', import.meta.url)
  const lines = readFileSync(file, 'utf8').split('\n')
  const keywords = lines.flatMap((line) => line.split(' | ')[0]?.trim().match(of)?.input ?? [])
  return keywords.map((keyword) => `/api/search?${new URLSearchParams({ keyword })}`)
}

function listPaths(pages: number): string[] {
  return ['reply', 'new'].flatMap((sort) => Array.from({ length: pages }, (_, n) => `/index?sort=${sort}&page=${1 + n}`))
}

export async function xsrfOf(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/baseInfo`)
  const cookie = /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  return { cookie, 'bbs-xsrf-token': cookie.slice(cookie.indexOf('=') + 1), 'x-requested-with': 'XMLHttpRequest', origin: url }
}
