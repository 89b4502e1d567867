import { escapeHtml } from '#base/escape.ts'
import type { Direction } from '#base/direction.ts'
import { blockDirection, isAddress } from '#base/rich-text/block-direction.ts'
import { coloured, newBudget, type HighlightedCode, type HighlightBudget } from '#base/rich-text/code-colours.ts'
import { codeLanguageOf, languageDisplayName } from '#base/rich-text/code-language.ts'
import {
  isTall,
  type Attachment,
  type Block,
  type Cell,
  type Doc,
  type Hidden,
  type Inline,
  type Link,
  type Lock,
  type Mark,
  type Node,
  type Picture,
} from '#base/rich-text/document.ts'
import { byLink } from '#base/rich-text/normalise.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import { formatSize } from '#base/size.ts'

/** The public data of a hidden part: its condition and price. */
export type PublicHiddenPart = { id: string; lock: Lock; value: string }

/** A segment of a post. A hidden part is a segment of its own, without HTML. */
export type Segment = { html: string; hidden?: PublicHiddenPart | undefined }

/** A picture in full size and, if available, in smaller ones: `srcset`, and the same as AVIF. */
export type PictureView = {
  src: string
  width: number
  height: number
  srcset?: string | undefined
  avif?: string | undefined
  /** The background that a transparent picture needs. */
  ground?: 'light' | 'dark' | 'mid' | undefined
}

export type RenderContext = {
  /** The address of a picture, or null if it is deleted. */
  picture(attrs: Picture['attrs']): PictureView | null
  /** The address of a file; without it, or for a deleted file, only the name is shown. */
  attachment?(attrs: Attachment['attrs']): { href: string; name: string; bytes: number } | null
  /** The mentioned member, or null if there is none. */
  mention(id: string): { href: string; name: string } | null
}

/** Renders a checked document as HTML. All text is escaped, so nothing a member writes is markup. */
export function toSegments(doc: Doc, context: RenderContext): Segment[] {
  const page: PageContext = { ...context, budget: newBudget(), direction: 'ltr' }
  const segments: Segment[] = []
  let html: string[] = []
  const end = () => {
    if (html.length > 0) segments.push({ html: html.join('') })
    html = []
  }
  for (const block of doc.content) {
    if (block.type !== 'hidden') {
      html.push(blockHtml(block, page))
      continue
    }
    end()
    segments.push({ html: '', hidden: publicPart(block) })
  }
  end()
  return segments.length > 0 ? segments : [{ html: '' }]
}

/** The public data of a hidden part, whatever its node holds. */
function publicPart({ attrs: { id = '', lock, value } }: Hidden): PublicHiddenPart {
  return { id, lock, value: lock === 'password' ? '' : value }
}

type PageContext = RenderContext & { budget: HighlightBudget; /** Of the parent block. */ direction: Direction }

/** The context of a node's content, and its `dir` attribute if its direction differs from its parent's. */
function withDirection(node: Node, context: PageContext): [PageContext, string] {
  const direction = node.type === 'codeBlock' ? 'ltr' : (blockDirection(node) ?? context.direction)
  return direction === context.direction ? [context, ''] : [{ ...context, direction }, ` dir="${direction}"`]
}

function blockHtml(block: Block, context: PageContext): string {
  const [page, dir] = withDirection(block, context)
  const inside = (blocks: readonly Block[]) => blocks.map((inner) => blockHtml(inner, page)).join('')
  switch (block.type) {
    case 'paragraph':
      return `<p${dir}>${inlineHtml(block.content, page)}</p>`
    case 'heading':
      return `<h${block.attrs.level}${dir}>${inlineHtml(block.content, page)}</h${block.attrs.level}>`
    case 'bulletList':
      return `<ul${dir}>${block.content.map((item) => `<li>${inside(item.content)}</li>`).join('')}</ul>`
    case 'orderedList':
      return `<ol${dir}${block.attrs.start === 1 ? '' : ` start="${block.attrs.start}"`}>${block.content.map((item) => `<li>${inside(item.content)}</li>`).join('')}</ol>`
    case 'taskList':
      return `<ul class="tasks"${dir}>${block.content.map((task) => `<li>${tick(task.attrs.checked)}<div>${inside(task.content)}</div></li>`).join('')}</ul>`
    case 'blockquote':
      return `<blockquote${dir}>${inside(block.content)}</blockquote>`
    case 'codeBlock':
      return codeHtml(block.attrs.language, block.content?.[0].text ?? '', page.budget, dir)
    case 'horizontalRule':
      return '<hr>'
    case 'table':
      return tableHtml(block.content, page, dir)
    case 'image':
      return pictureHtml(block.attrs, context)
    case 'file':
      return attachmentHtml(block.attrs, context)
    // A nested hidden part is invalid and renders nothing.
    case 'hidden':
      return ''
  }
}

function tick(checked: boolean): string {
  return `<span class="tick" role="img" aria-label="${checked ? '✓' : '○'}" data-checked="${checked}"></span>`
}

function tableHtml(rows: readonly { content: readonly Cell[] }[], context: PageContext, dir: string): string {
  const cellHtml = (cell: Cell) => {
    const name = cell.type === 'tableHeader' ? 'th' : 'td'
    const [page, its] = withDirection(cell, context)
    return `<${name}${cell.attrs.align ? ` class="${cell.attrs.align}"` : ''}${its}>${inlineHtml(cell.content[0].content, page)}</${name}>`
  }
  const body = rows.map((row) => `<tr>${row.content.map(cellHtml).join('')}</tr>`).join('')
  return `<div class="table" tabindex="0"${dir}><table${dir}><tbody>${body}</tbody></table></div>`
}

function pictureHtml(attrs: Picture['attrs'], context: RenderContext): string {
  const found = context.picture(attrs)
  if (!found) return `<p class="gone">${escapeHtml(attrs.alt)}</p>`
  const { src, width, height, srcset, avif, ground } = found
  const sized = srcset ? ` srcset="${escapeHtml(srcset)}" sizes="${sizes}"` : ''
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(attrs.alt)}" width="${width}" height="${height}"${sized}${ground ? ` data-ground="${ground}"` : ''} loading="lazy" decoding="async">`
  const opening = isTall({ width, height }) ? '<p class="picture tall">' : '<p class="picture">'
  if (!avif) return `${opening}${image}</p>`
  return `${opening}<picture><source type="image/avif" srcset="${escapeHtml(avif)}" sizes="${sizes}">${image}</picture></p>`
}

function attachmentHtml(attrs: Attachment['attrs'], context: RenderContext): string {
  const found = context.attachment?.(attrs)
  if (!found) return `<p class="gone">${escapeHtml(attrs.name)}</p>`
  const { href, name, bytes } = found
  return `<p class="file"><a href="${escapeHtml(href)}" download="${escapeHtml(name)}">${escapeHtml(name)}</a> <span data-bytes="${bytes}">${formatSize(bytes)}</span></p>`
}

// The column of a post is 720 pixels wide, or as wide as a phone.
const sizes = '(min-width: 752px) 720px, calc(100vw - 32px)'

function inlineHtml(inlines: readonly Inline[] = [], context: PageContext): string {
  const html = byLink(inlines)
    .map(({ link, inlines: within }) => {
      const inner = within.map((inline) => oneInline(inline, context)).join('')
      return link ? linkHtml(inner, link, context) : inner
    })
    .join('')
  return context.direction === 'rtl' ? html.replaceAll('<code>', '<code dir="ltr">') : html
}

function oneInline(inline: Inline, context: RenderContext): string {
  if (inline.type === 'hardBreak') return '<br>'
  if (inline.type === 'text') return (inline.marks ?? []).reduceRight(markHtml, escapeHtml(inline.text))
  const member = context.mention(inline.attrs.id)
  if (!member) return `@${escapeHtml(inline.attrs.label)}`
  return `<a class="mention" href="${escapeHtml(member.href)}">@${escapeHtml(member.name)}</a>`
}

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const

function markHtml(html: string, mark: Mark): string {
  return mark.type === 'link' ? html : `<${tags[mark.type]}>${html}</${tags[mark.type]}>`
}

function linkHtml(html: string, { attrs }: Link, { direction }: PageContext): string {
  const href = safeUrl(attrs.href)
  if (!href) return html
  const title = attrs.title ? ` title="${escapeHtml(attrs.title)}"` : ''
  const dir = direction === 'rtl' && isAddress(html) ? ' dir="ltr"' : ''
  return `<a href="${escapeHtml(href)}"${title}${dir}${href.startsWith('/') ? '' : ' rel="noopener ugc nofollow" target="_blank"'}>${html}</a>`
}

function codeHtml(language: string, code: string, budget: HighlightBudget, dir: string): string {
  const inner = coloured(language, code, budget)
  const name = languageDisplayName(language)
  const named = name ? ` data-language="${escapeHtml(name)}"` : ''
  return `<pre tabindex="0"${named}${dir}><code class="language-${codeLanguageOf(language)}">${inner ? highlightedHtml(inner) : escapeHtml(code)}</code></pre>`
}

function highlightedHtml(nodes: readonly HighlightedCode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : `<span class="${node.kind}">${highlightedHtml(node.content)}</span>`))
    .join('')
}
