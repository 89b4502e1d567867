import { redirect } from 'react-router'
import type { Api, Output } from '#base/contract.ts'
import { idIn, pageIn, type Head, type Language, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { search as searchCall, suggest } from '#search/contract.ts'
import { parseSearchParams, equivalentList, includesMembers, type SearchParams } from '#search/web/search-params.ts'
import type { listTags } from '#tag/contract.ts'
import type { hotTopics } from '#topic/contract.ts'
import type { AuthorView, suggestMembers } from '#user/contract.ts'

const beside = { shared: true, silent: true }

export type Problem = 'tooFast' | 'away' | 'authorHidden'
export type SearchData = {
  params: SearchParams
  tags: Output<typeof listTags>['tags']
  /** Null without a search term, or if the search failed. */
  results: Output<typeof searchCall> | null
  /** Members with a matching name; null for visitors, and on failure. */
  members: AuthorView[] | null
  hotWords: string[]
  /** The hot topics, shown before a search. */
  hot: Output<typeof hotTopics>['topics']
  problem: Problem | null
}

async function load({ api, url, isMember, language }: LoaderArgs): Promise<SearchData> {
  const query = url.searchParams
  const params = parseSearchParams(query, pageIn(query), idIn(query, 'tagId'))
  const list = equivalentList(params)
  if (list) throw redirect(list)
  const tags = api.read<typeof listTags>('/tag/list', {}, beside)
  if (!params.keyword) {
    const [{ tags: all }, { hotWords }, { topics: hot }] = await Promise.all([
      tags,
      api.read<typeof suggest>('/search/suggest', {}, beside),
      api.read<typeof hotTopics>('/topic/hot', { language }, { shared: true }),
    ])
    return { params, tags: all, results: null, members: null, hotWords, hot, problem: null }
  }
  const [{ tags: all }, members, { found, problem }] = await Promise.all([
    tags,
    isMember && includesMembers(params) ? membersCalled(api, params.keyword) : null,
    api.read<typeof searchCall>('/search', params, beside).then(
      (found) => ({ found, problem: null }),
      (error: unknown) => ({ found: null, problem: problemIn(error) }),
    ),
  ])
  return { params, tags: all, results: found, members, hotWords: [], hot: [], problem }
}

const maxMembers = 3

// Members are optional: without them there are still the hits.
async function membersCalled(api: Api, keyword: string): Promise<AuthorView[] | null> {
  try {
    const { members } = await api.read<typeof suggestMembers>('/user/suggest', { query: keyword.slice(0, 25) }, { silent: true })
    return members.slice(0, maxMembers)
  } catch (error) {
    console.info('No members could be looked for', error)
    return null
  }
}

// Problems that the reader can fix appear beside the search box; all others go to the error page.
function problemIn(error: unknown): Problem {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null
  if (status === 429) return 'tooFast'
  if (status === 503) return 'away'
  if (status === 403) return 'authorHidden'
  throw error
}

function head({ params }: SearchData, _: Language, say: (code: string) => string): Head {
  return { title: params.keyword || say('search.title'), isPrivate: true }
}

export const search: Screen = {
  path: '/search',
  file: '/apps/web/screens/search.tsx',
  load,
  head,
  isPublic: true,
  // Too many distinct queries for the cache, which would evict popular pages; and removed posts must disappear immediately.
  isFleeting: true,
  parameters: ['keyword', 'kind', 'tagId', 'author', 'within', 'from', 'until', 'pictures', 'ai', 'sort', 'page'],
}
