import type { welcome } from '#about/contract.ts'
import type { Api, Output } from '#base/contract.ts'
import type { FeedData } from '#apps/web/feed-threads.tsx'
import { loadFeed, readingOf } from '#apps/web/screens/feed.ts'
import { idIn, languageIn, pageIn, type Head, type Language, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { friendLinks } from '#link/contract.ts'
import type { listTags } from '#tag/contract.ts'
import type { hotTopics, listTopics, ReadingView } from '#topic/contract.ts'

const shared = { shared: true }
const sorts = ['reply', 'new', 'hot'] as const

export type Sort = (typeof sorts)[number]

type TopicListParams = { tagId?: string; sort: Sort; page: number; featured: boolean; language?: Language }

/** The list parameters of a query. */
export function listParamsIn(query: URLSearchParams): TopicListParams {
  const tagId = idIn(query, 'tagId')
  return {
    ...(tagId && { tagId }),
    ...languageIn(query),
    sort: sorts.find((sort) => sort === query.get('sort')) ?? 'reply',
    page: pageIn(query),
    featured: query.get('featured') === 'true',
  }
}

export type IndexData = {
  tags: Output<typeof listTags>['tags']
  list: Output<typeof listTopics>
  hot: Output<typeof hotTopics>['topics']
  links: Output<typeof friendLinks>['links']
  /** The member's reading state of these topics; empty for visitors. */
  reading: ReadingView[]
  /** The member's feed, if requested. */
  followed: FeedData | null
  /** The greeting of first-time visitors; null for members, and in a tag. */
  welcome: Output<typeof welcome> | null
}

async function load(args: LoaderArgs): Promise<IndexData> {
  const { api, url, isMember, language, shown } = args
  const isFirst = !isMember && url.searchParams.size === 0
  const [{ tags, hot, links }, list, followed, greeting] = await Promise.all([
    (shown?.[url.pathname] as IndexData | undefined) ?? loadBeside(api, language),
    api.read<typeof listTopics>('/topic/list', listParamsIn(url.searchParams), shared),
    loadFeed(args, false),
    isFirst ? api.read<typeof welcome>('/welcome', { language }, { ...shared, silent: true }) : null,
  ])
  return { tags, list, hot, links, reading: await readingOf(args, list.topics), followed, welcome: greeting }
}

/** What stands beside a list. */
async function loadBeside(api: Api, language: Language): Promise<Pick<IndexData, 'tags' | 'hot' | 'links'>> {
  const [{ tags }, { topics: hot }, { links }] = await Promise.all([
    api.read<typeof listTags>('/tag/list', {}, shared),
    api.read<typeof hotTopics>('/topic/hot', { language }, shared),
    api.read<typeof friendLinks>('/link/list', {}, shared),
  ])
  return { tags, hot, links }
}

/** The current tag. */
export function tagIn({ tags, list: { place } }: Pick<IndexData, 'tags'> & { list: Pick<IndexData['list'], 'place'> }) {
  return tags.flatMap((one) => [one, ...one.children]).find(({ id }) => id === place?.id)
}

function head(data: IndexData, language: Language): Head {
  const { place, page } = data.list
  const description = tagIn(data)?.description[language]
  const query = new URLSearchParams()
  if (place) query.set('tagId', place.id)
  if (page > 1) query.set('page', String(page))
  return {
    ...(place && { title: place.name[language], feed: `/feed?tagId=${place.id}` }),
    ...(description && { description }),
    canonical: query.size > 0 ? `/index?${query}` : '/index',
  }
}

export const index: Screen = {
  path: '/index',
  file: '/apps/web/screens/index.tsx',
  load,
  head,
  isPublic: true,
  parameters: ['tagId', 'sort', 'page', 'featured', 'language'],
}
