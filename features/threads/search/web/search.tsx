import { lazy, Suspense, useEffect, useRef, useState, type FormEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Icon } from '#base/web/icon.tsx'
import { later } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { longestQuery } from '#search/limits.ts'
import css from '#search/web/search.module.css'

export function searchPath(keyword: string): string {
  return keyword ? `/search?${new URLSearchParams({ keyword })}` : '/search'
}

// Readers never load the code for suggestions.
const Suggestions = lazy(async () => ({ default: (await later(import('#search/web/suggestions.tsx'))).Suggestions }))

/** The search field: a plain form until it gets the focus. */
export function SearchBox() {
  const words = useWords('search')
  const go = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [isAwake, setAwake] = useState(false)
  const [query] = useSearchParams()
  const keyword = query.get('keyword') ?? ''
  useEffect(() => {
    const box = input.current
    // Typing may begin before hydration.
    if (box === document.activeElement) setAwake(true)
    else if (box) box.value = keyword
  }, [keyword])

  function look(event: FormEvent): void {
    event.preventDefault()
    input.current?.blur()
    void go(searchPath(input.current?.value.trim() ?? ''))
  }

  return (
    <form role="search" action="/search" className={css.box} onSubmit={look}>
      <input
        ref={input}
        type="search"
        name="keyword"
        defaultValue={keyword}
        maxLength={longestQuery}
        aria-label={words('box')}
        placeholder={words('box')}
        autoComplete="off"
        enterKeyHint="search"
        onFocus={() => setAwake(true)}
      />
      <button className={`icon ${css.look}`} aria-label={words('look')}>
        <Icon name="search" size={18} />
      </button>
      {isAwake && (
        <Suspense>
          <Suggestions input={input} />
        </Suspense>
      )}
    </form>
  )
}

/** The link to the search page where there is no room for the field. */
export function SearchLink() {
  const words = useWords('search')
  return (
    <Link to="/search" className={`icon ${css.way}`} aria-label={words('title')}>
      <Icon name="search" />
    </Link>
  )
}
