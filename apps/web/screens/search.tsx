import { useEffect, useRef, useState } from 'react'
import { NavigationType, useLoaderData, useNavigation, useNavigationType, useSearchParams } from 'react-router'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import type { SearchData } from '#apps/web/screens/search.data.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { Drawing } from '#base/web/drawing.tsx'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { hitsBefore, searchSorts, includesMembers } from '#search/web/search-params.ts'
import { TagsAndMembers, Recent } from '#search/web/tags-and-members.tsx'
import { Filters } from '#search/web/filters.tsx'
import { Hit } from '#search/web/hit.tsx'
import { clearRecent, remember, useRecent } from '#search/web/recent.ts'
import { SearchBox, searchPath } from '#search/web/search.tsx'
import css from '#apps/web/screens/search.module.css'

type SearchResults = NonNullable<SearchData['results']>

export function Page() {
  const words = useWords('search')
  const { params, tags } = useLoaderData<SearchData>()
  return (
    <div className={css.page}>
      <div className={css.top}>
        <h1 className={params.keyword ? 'hidden' : undefined}>
          {params.keyword ? words('titleFor', { keyword: params.keyword }) : words('title')}
        </h1>
        <div ref={useFocusSearchBox(params.keyword === '')} className={css.box}>
          <SearchBox />
        </div>
      </div>
      {params.keyword && (
        <aside className={`${css.side} rail`} aria-label={words('looking')}>
          <Filters params={params} tags={tags} />
        </aside>
      )}
      <div className={css.main}>
        <Results />
      </div>
    </div>
  )
}

/** Focuses the search box after a click on the search link, but not after going back. */
function useFocusSearchBox(isEmpty: boolean) {
  const kind = useNavigationType()
  const place = useRef<HTMLDivElement>(null)
  const [isFirst] = useState(isEmpty && kind === NavigationType.Push)
  useEffect(() => {
    if (isFirst) place.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isFirst])
  return place
}

function Results() {
  const words = useWords('search')
  const { params, results, members, problem } = useLoaderData<SearchData>()
  useEffect(() => {
    if (params.keyword && results) void remember(params.keyword)
  }, [params.keyword, results])
  const isLooking = useNavigation().location?.pathname === '/search'
  if (isLooking) return <Skeleton lines={12} />
  if (problem) return <Failed>{words(problem)}</Failed>
  if (!params.keyword || !results) return <SearchStart />
  return (
    <section aria-label={words('results')}>
      <Sorts />
      <p className="meta" role="status">
        {words(results.isMore ? 'more' : 'count', { count: results.total })}
        {results.respelled.map(({ from, to }) => (
          <span key={from}> · {words('respelled', { from, to })}</span>
        ))}
      </p>
      <TagsAndMembers tags={results.tags} members={members} takesMembers={includesMembers(params)} />
      {results.hits.length === 0 ? <NoResults isAuthorUnknown={results.isAuthorUnknown} /> : <Hits found={results} />}
    </section>
  )
}

/** Complete matches, and below a line the partial ones. */
function Hits({ found: { hits, whole, page, pages, total } }: { found: SearchResults }) {
  const words = useWords('search')
  const before = hitsBefore(page)
  return (
    <>
      {hits.map((hit, at) => (
        <div key={`${hit.kind} ${hit.id}`}>
          {before + at === whole && <p className={css.rest}>{words(whole === 0 ? 'onlyPart' : 'alsoPart')}</p>}
          <Hit hit={hit} />
        </div>
      ))}
      <Pagination page={page} pages={pages} total={total} />
    </>
  )
}

function Sorts() {
  const words = useWords('search')
  const [query] = useSearchParams()
  const { params } = useLoaderData<SearchData>()

  function addressFor(sort: string): string {
    const next = new URLSearchParams(query)
    next.delete('page')
    if (sort === 'best') next.delete('sort')
    else next.set('sort', sort)
    return `/search?${next}`
  }

  return (
    <nav className={css.sorts} aria-label={words('order')}>
      {searchSorts.map((sort) => (
        <Link key={sort} to={addressFor(sort)} aria-current={params.sort === sort ? 'page' : undefined} preventScrollReset>
          {words(`${sort}Sort`)}
        </Link>
      ))}
    </nav>
  )
}

function SearchStart() {
  const words = useWords('search')
  const { hotWords, hot } = useLoaderData<SearchData>()
  return (
    <section className={css.beginning}>
      <Recent words={useRecent()} pathTo={searchPath} clear={clearRecent} />
      {hotWords.length > 0 && (
        <>
          <h2>{words('hotWords')}</h2>
          <p className={css.words}>
            {hotWords.map((word) => (
              <Link key={word} to={searchPath(word)}>
                {word}
              </Link>
            ))}
          </p>
        </>
      )}
      <HotTopics topics={hot} />
      <p className="help">{words('what')}</p>
    </section>
  )
}

function NoResults({ isAuthorUnknown }: { isAuthorUnknown: boolean }) {
  const words = useWords('search')
  const near = useLater(() => import('#search/web/near-authors.tsx'), isAuthorUnknown)
  const { params } = useLoaderData<SearchData>()
  const isFiltered =
    Object.keys(params).some((name) => ['tagId', 'author', 'within', 'from', 'until'].includes(name)) ||
    params.kind !== 'all' ||
    params.pictures
  return (
    <div className="empty">
      <Drawing />
      {isAuthorUnknown ? (
        <>
          <p>{words('noSuchAuthor', { name: params.author ?? '' })}</p>
          {near && <near.NearAuthors author={params.author ?? ''} />}
        </>
      ) : (
        <>
          <p>{words('nothing', { keyword: params.keyword })}</p>
          <ul className={css.advice}>
            <li>{words('adviceShorter')}</li>
            <li>{words('adviceOther')}</li>
            <li>{words('advicePinyin')}</li>
          </ul>
        </>
      )}
      {isFiltered && (
        <p>
          <Link to={searchPath(params.keyword)} className="button quiet">
            {words('everywhere')}
          </Link>
        </p>
      )}
    </div>
  )
}
