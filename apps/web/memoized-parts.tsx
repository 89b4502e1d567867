import { createElement } from 'react'
import { rendering, type Memoize } from '#base/web/memoized.tsx'

/** HTML of parts by all that it depends on, as JSON. */
export type HtmlMemo = { digest(data: unknown): string; get(key: string): string | undefined; set(key: string, html: string): void }

type Page = { /** Its path and query. */ address: string; /** All parts depend on this as well. */ shared: unknown }
type Part = { key: string; html: string | undefined }

// The element around each memoized part of a page while it is rendered. No content can have it, and it is taken out again.
const tag = `part-${crypto.randomUUID()}`
const opening = `<${tag} id="`
const closing = `</${tag}>`
// An id of React's own, which depends on the place in the page, and the mark of a part that failed.
const boundToPage = /_R_|<!--\$!-->/

/** Renders a page, but of its memoized parts only those that are unknown. */
export function renderWithMemo(memo: HtmlMemo, { address, shared }: Page, render: () => string): string {
  const parts: Part[] = []
  const common = memo.digest(shared)
  const memoize: Memoize = (by, part) => {
    const dependencies = by(address)
    if (!dependencies) return part
    const key = `${common} ${JSON.stringify(dependencies)}`
    const html = memo.get(key)
    const id = parts.push({ key, html }) - 1
    return createElement(tag, { id }, html === undefined && part)
  }

  const [head = '', ...rest] = rendering(memoize, render).split(opening)
  const spliced = rest.map((text) => {
    const [begin, end] = [text.indexOf('>') + 1, text.lastIndexOf(closing)]
    const part = parts[Number.parseInt(text)]
    const html = part?.html ?? text.slice(begin, end)
    if (part && part.html === undefined && !boundToPage.test(html)) memo.set(part.key, html)
    return html + text.slice(end + closing.length)
  })
  return [head, ...spliced].join('')
}
