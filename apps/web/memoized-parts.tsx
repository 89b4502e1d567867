import { createElement } from 'react'
import { rendering, type Memoize } from '#base/web/memoized.tsx'

/** HTML of parts by all that it depends on, as JSON. */
export type HtmlMemo = {
  digest(data: object): string
  keyOf(dependencies: string): string
  get(key: string): Buffer | undefined
  set(key: string, html: string): Buffer
}

/** The dependencies of all parts of a page. `address` is its path and query, for the parts that depend on it. */
type Page = { language: string; site: object; address: string }
type Part = { key: string; html: Buffer | undefined }

// The element around each memoized part of a page while it is rendered. No content can have it, and it is taken out again.
const tag = `part-${crypto.randomUUID()}`
const opening = `<${tag} id="`
const closing = `</${tag}>`
// An id of React's own, which depends on the place in the page, and the mark of a part that failed.
const boundToPage = /_R_|<!--\$!-->/

/** Renders a page, but of its memoized parts only those that are unknown. */
export function renderWithMemo(memo: HtmlMemo, { language, site, address }: Page, render: () => string): Buffer {
  const parts: Part[] = []
  const shared = `${language} ${memo.digest(site)}`
  const memoize: Memoize = (by, part) => {
    const dependencies = by(address)
    if (!dependencies) return part
    const key = memo.keyOf(`${shared} ${JSON.stringify(dependencies)}`)
    const html = memo.get(key)
    const id = parts.push({ key, html }) - 1
    return createElement(tag, { id }, html === undefined && part)
  }

  const [head = '', ...rest] = rendering(memoize, render).split(opening)
  const spliced = rest.flatMap((text) => {
    const [begin, end] = [text.indexOf('>') + 1, text.lastIndexOf(closing)]
    const part = parts[Number.parseInt(text)]
    if (end < begin) throw new Error('A memoized part lies in another')
    return [part?.html ?? bytesOf(text.slice(begin, end), part), Buffer.from(text.slice(end + closing.length))]
  })
  return Buffer.concat([Buffer.from(head), ...spliced])

  function bytesOf(html: string, part: Part | undefined): Buffer {
    return part && !boundToPage.test(html) ? memo.set(part.key, html) : Buffer.from(html)
  }
}
