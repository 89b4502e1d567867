import type { RawInput } from '#base/contract.ts'
import type { search } from '#search/contract.ts'
import { hitsPerPage, longestQuery } from '#search/limits.ts'

export const searchKinds = ['all', 'topic', 'question', 'resolved', 'unresolved', 'bounty', 'comment'] as const
export const searchSorts = ['best', 'newest', 'replies'] as const
export const aiOptions = ['without', 'only'] as const
export const timeOptions = ['day', 'week', 'month', 'year'] as const

export type SearchParams = RawInput<typeof search> & Required<Pick<RawInput<typeof search>, 'kind' | 'sort' | 'pictures'>>

export function hitsBefore(page: number): number {
  return (page - 1) * hitsPerPage
}

/** Parses the parameters of an address; invalid ones are ignored. */
export function parseSearchParams(query: URLSearchParams, page: number, tagId: string | undefined): SearchParams {
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((value) => value === query.get(name))
  const within = oneOf('within', timeOptions)
  const ai = oneOf('ai', aiOptions)
  const author = query.get('author')?.trim().slice(0, 30)
  const [from, until] = [dateIn(query, 'from'), dateIn(query, 'until')]
  const { keyword, kind } = readKind(query.get('keyword') ?? '')
  return {
    keyword: truncated(keyword),
    kind: kind ?? oneOf('kind', searchKinds) ?? 'all',
    sort: oneOf('sort', searchSorts) ?? 'best',
    pictures: query.get('pictures') === 'true',
    ...(tagId && { tagId }),
    ...(author && { author }),
    ...(within && { within }),
    ...(ai && { ai }),
    ...(from && { from }),
    ...(until && { until }),
    ...(page > 1 && { page }),
  }
}

/** Whether the search includes members by name. */
export function includesMembers({ kind, tagId, author, page }: SearchParams): boolean {
  return kind === 'all' && !tagId && !author && (page ?? 1) === 1
}

/** The path of the list that shows the same without a keyword; null if there is none. */
export function equivalentList({ keyword, kind, tagId, author, within, from, until, pictures, ai }: SearchParams): string | null {
  const isNarrowed = author || within || from || until || pictures || ai
  if (keyword || isNarrowed || kind === 'all' || kind === 'topic' || kind === 'comment') return null
  const filter: Record<string, string> = kind === 'question' ? {} : kind === 'bounty' ? { bounty: 'any' } : { state: kind }
  const query = new URLSearchParams({ ...filter, ...(tagId && { tagId }) })
  return query.size > 0 ? `/askList?${query}` : '/askList'
}

const typedKind = /(?:^|\s)(?:is:(topic|question|resolved|unresolved)|has:(bounty))(?!\S)/gi

/** Filters typed into the query: `is:resolved kettle`, `has:bounty kettle`. The last one counts. */
function readKind(text: string): { keyword: string; kind: SearchParams['kind'] | undefined } {
  const [, is, has] = [...text.matchAll(typedKind)].at(-1) ?? []
  const typed = (is ?? has)?.toLowerCase()
  return { keyword: text.replaceAll(typedKind, '').trim(), kind: searchKinds.find((kind) => kind === typed) }
}

// Cut to the field's limit, without splitting a character.
function truncated(text: string): string {
  return text
    .slice(0, longestQuery)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
    .replaceAll('\0', '')
}

function dateIn(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}
