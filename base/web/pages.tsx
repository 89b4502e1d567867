import { Link, useLocation, useNavigate } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/pages.module.css'

type PagesProps = { page: number; pages: number; total: number; parameter?: string }

/** The way through pages: real links with numbers, the total, and a jump where there are many. */
export function Pages({ page, pages, total, parameter = 'page' }: PagesProps) {
  const words = useWords('site')
  const { pathname, search } = useLocation()
  const go = useNavigate()
  if (pages <= 1) return null

  function addressOf(number: number): string {
    const query = new URLSearchParams(search)
    if (number === 1) query.delete(parameter)
    else query.set(parameter, String(number))
    for (const jump of ['commentId', 'replyId']) query.delete(jump)
    return query.size > 0 ? `${pathname}?${query}` : pathname
  }

  return (
    <nav className={css.pages} aria-label={words('pages')}>
      {page > 1 && (
        <Link to={addressOf(page - 1)} rel="prev">
          {words('previous')}
        </Link>
      )}
      {numbersAround(page, pages).map((number, index) =>
        number === null ? (
          <span key={`gap ${index}`}>…</span>
        ) : (
          <Link key={number} to={addressOf(number)} aria-current={number === page ? 'page' : undefined} aria-label={words('pageNumber', { number })}>
            {number}
          </Link>
        ),
      )}
      {page < pages && (
        <Link to={addressOf(page + 1)} rel="next">
          {words('next')}
        </Link>
      )}
      <span className={css.total}>{words('total', { total })}</span>
      {pages > 7 && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const wanted = Number(new FormData(event.currentTarget).get('number'))
            if (Number.isInteger(wanted)) void go(addressOf(Math.min(pages, Math.max(1, wanted))))
          }}
        >
          <input name="number" type="number" min={1} max={pages} aria-label={words('jumpTo')} placeholder={words('jumpTo')} />
        </form>
      )}
    </nav>
  )
}

/** First, last, and those around where one is; null where some are left out. */
export function numbersAround(page: number, pages: number): (number | null)[] {
  const wanted = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((number) => number >= 1 && number <= pages)
  const numbers = [...new Set(wanted)].sort((a, b) => a - b)
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1]
    if (before === undefined || number === before + 1) return [number]
    return number === before + 2 ? [number - 1, number] : [null, number]
  })
}
