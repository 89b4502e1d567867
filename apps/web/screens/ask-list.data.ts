import type { Output } from '#base/contract.ts'
import type { FeedData } from '#apps/web/feed-threads.tsx'
import { loadFeed, readingOf } from '#apps/web/screens/feed.ts'
import { idIn, languageIn, pageIn, type Head, type Language, type LoaderArgs, type Translate, type Screen } from '#base/web/screen.ts'
import { questionFilters, type QuestionFilter } from '#kind/contract.ts'
import type { listQuestions } from '#question/contract.ts'
import type { BountyFilter } from '#bounty/contract.ts'
import type { listTags } from '#tag/contract.ts'
import type { hotTopics, ReadingView } from '#topic/contract.ts'

const shared = { shared: true }

/** The bounty filters, in the order of the tabs. The contract of bounties is imported as a type only, because it has many dependencies. */
export const bounties = ['any', 'points', 'cash'] as const satisfies BountyFilter[]

type QuestionListParams = { tagId?: string; state?: QuestionFilter; bounty?: BountyFilter; page: number; language?: Language }

/** The list parameters of a query. */
export function listParamsIn(query: URLSearchParams): QuestionListParams {
  const tagId = idIn(query, 'tagId')
  const state = questionFilters.find((one) => one === query.get('state'))
  const bounty = bounties.find((one) => one === query.get('bounty'))
  return { ...(tagId && { tagId }), ...(state && { state }), ...(bounty && { bounty }), page: pageIn(query), ...languageIn(query) }
}

export type AskListData = {
  tags: Output<typeof listTags>['tags']
  list: Output<typeof listQuestions>
  hot: Output<typeof hotTopics>['topics']
  /** The member's reading state of these questions; empty for visitors. */
  reading: ReadingView[]
  /** The member's feed, if requested. */
  followed: FeedData | null
}

async function load(args: LoaderArgs): Promise<AskListData> {
  const { api, url, language } = args
  const [{ tags }, list, { topics: hot }, followed] = await Promise.all([
    api.read<typeof listTags>('/tag/list', {}, shared),
    api.read<typeof listQuestions>('/question/list', listParamsIn(url.searchParams), shared),
    api.read<typeof hotTopics>('/topic/hot', { language }, shared),
    loadFeed(args, true),
  ])
  return { tags, list, hot, reading: await readingOf(args, list.questions), followed }
}

function head({ list: { place, page } }: AskListData, language: Language, translate: Translate): Head {
  const query = new URLSearchParams()
  if (place) query.set('tagId', place.id)
  if (page > 1) query.set('page', String(page))
  return {
    title: place ? translate('question.questionsIn', { name: place.name[language] }) : translate('question.questions'),
    ...(place && { feed: `/feed?tagId=${place.id}` }),
    feeds: [
      {
        title: translate('question.unresolvedIn', { name: place?.name[language] ?? '', where: place ? 'tag' : 'anywhere' }),
        path: `/feed?${place ? `tagId=${place.id}&` : ''}state=unresolved`,
      },
    ],
    canonical: query.size > 0 ? `/askList?${query}` : '/askList',
  }
}

export const askList: Screen = {
  path: '/askList',
  file: '/apps/web/screens/ask-list.tsx',
  load,
  head,
  isPublic: true,
  parameters: ['tagId', 'state', 'bounty', 'page', 'language'],
}
