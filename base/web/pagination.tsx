import { useLocation, useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/pagination.module.css'

type PaginationProps = { page: number; pages: number; total: number; parameter?: string }

const jumpThreshold = 7
/** Parameters that point to one comment, on whichever page; a link to another page drops them. */
const jumpParameters = ['commentId', 'replyId', 'floor']

/** Pagination: links with numbers, the total, and a field to jump where there are many. */
export function Pagination({ page, pages, total, parameter = 'page' }: PaginationProps) {
  const words = useWords('site')
  const { pathname, search } = useLocation()
  if (pages <= 1) return null

  const others = new URLSearchParams(search)
  for (const name of [parameter, ...jumpParameters]) others.delete(name)

  function addressOf(number: number): string {
    const query = new URLSearchParams(others)
    if (number > 1) query.set(parameter, String(number))
    return query.size > 0 ? `${pathname}?${query}` : pathname
  }

  return (
    <nav className={css.pages} aria-label={words('pages')}>
      {page > 1 && (
        <Link to={addressOf(page - 1)} rel="prev">
          {words('previous')}
        </Link>
      )}
      {pageNumbers(page, pages).map((number, index) =>
        number === null ? (
          <span key={`gap ${index}`}>…</span>
        ) : (
          <Link
            key={number}
            to={addressOf(number)}
            aria-current={number === page ? 'page' : undefined}
            aria-label={words('pageNumber', { number })}
          >
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
      {pages > jumpThreshold && <Jump {...{ pages, parameter, others, addressOf }} />}
    </nav>
  )
}

type JumpProps = { pages: number; parameter: string; others: URLSearchParams; addressOf: (number: number) => string }

/** Jumps to a page by number; a plain form, which works without JavaScript. */
function Jump({ pages, parameter, others, addressOf }: JumpProps) {
  const words = useWords('site')
  const go = useNavigate()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const requestedPage = Math.trunc(Number(new FormData(event.currentTarget).get(parameter)))
        if (requestedPage) void go(addressOf(Math.min(pages, Math.max(1, requestedPage))))
      }}
    >
      {[...others].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input name={parameter} type="number" min={1} max={pages} required aria-label={words('jumpTo')} placeholder={words('jumpTo')} />
    </form>
  )
}

/** The first, the last and the neighbouring pages; null for a gap. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const candidates = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((number) => number >= 1 && number <= pages)
  const numbers = [...new Set(candidates)].sort((a, b) => a - b)
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1]
    if (before === undefined || number === before + 1) return [number]
    return number === before + 2 ? [number - 1, number] : [null, number]
  })
}
