import { escapeHtml } from '#base/escape.ts'
import type { Direction } from '#base/direction.ts'
import { blockDirection, isAddress } from '#base/rich-text/block-direction.ts'
import { coloured, newRoom, type Coloured, type Room } from '#base/rich-text/code-colours.ts'
import { codeLanguageOf, nameOfLanguage } from '#base/rich-text/code-language.ts'
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
import { sizeOf } from '#base/size.ts'

/** The public data of a hidden part: its condition and price. */
export type Shut = { id: string; lock: Lock; value: string }

/** A segment of a post. A hidden part is a segment of its own, without HTML. */
export type Segment = { html: string; hidden?: Shut | undefined }

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

export type Surroundings = {
  /** The address of a picture, or null if it is deleted. */
  picture(attrs: Picture['attrs']): PictureView | null
  /** The address of a file; without it, or for a deleted file, only the name is shown. */
  attachment?(attrs: Attachment['attrs']): { href: string; name: string; bytes: number } | null
  /** The mentioned member, or null if there is none. */
  mention(id: string): { href: string; name: string } | null
}

/** Renders a checked document as HTML. All text is escaped, so nothing a member writes is markup. */
export function toSegments(doc: Doc, around: Surroundings): Segment[] {
  const page: Page = { ...around, room: newRoom(), direction: 'ltr' }
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
    segments.push({ html: '', hidden: shutOf(block) })
  }
  end()
  return segments.length > 0 ? segments : [{ html: '' }]
}

/** The public data of a hidden part, whatever its node holds. */
function shutOf({ attrs: { id = '', lock, value } }: Hidden): Shut {
  return { id, lock, value: lock === 'password' ? '' : value }
}

type Page = Surroundings & { room: Room; /** Of the parent block. */ direction: Direction }

/** The context of a node's content, and its `dir` attribute if its direction differs from its parent's. */
function turned(node: Node, around: Page): [Page, string] {
  const direction = node.type === 'codeBlock' ? 'ltr' : (blockDirection(node) ?? around.direction)
  return direction === around.direction ? [around, ''] : [{ ...around, direction }, ` dir="${direction}"`]
}

function blockHtml(block: Block, around: Page): string {
  const [page, dir] = turned(block, around)
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
      return codeHtml(block.attrs.language, block.content?.[0].text ?? '', page.room, dir)
    case 'horizontalRule':
      return '<hr>'
    case 'table':
      return tableHtml(block.content, page, dir)
    case 'image':
      return pictureHtml(block.attrs, around)
    case 'file':
      return attachmentHtml(block.attrs, around)
    // A nested hidden part is invalid and renders nothing.
    case 'hidden':
      return ''
  }
}

function tick(checked: boolean): string {
  return `<span class="tick" role="img" aria-label="${checked ? '✓' : '○'}" data-checked="${checked}"></span>`
}

function tableHtml(rows: readonly { content: readonly Cell[] }[], around: Page, dir: string): string {
  const cellHtml = (cell: Cell) => {
    const name = cell.type === 'tableHeader' ? 'th' : 'td'
    const [page, its] = turned(cell, around)
    return `<${name}${cell.attrs.align ? ` class="${cell.attrs.align}"` : ''}${its}>${inlineHtml(cell.content[0].content, page)}</${name}>`
  }
  const body = rows.map((row) => `<tr>${row.content.map(cellHtml).join('')}</tr>`).join('')
  return `<div class="table" tabindex="0"${dir}><table${dir}><tbody>${body}</tbody></table></div>`
}

function pictureHtml(attrs: Picture['attrs'], around: Surroundings): string {
  const found = around.picture(attrs)
  if (!found) return `<p class="gone">${escapeHtml(attrs.alt)}</p>`
  const { src, width, height, srcset, avif, ground } = found
  const sized = srcset ? ` srcset="${escapeHtml(srcset)}" sizes="${sizes}"` : ''
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(attrs.alt)}" width="${width}" height="${height}"${sized}${ground ? ` data-ground="${ground}"` : ''} loading="lazy" decoding="async">`
  const opening = isTall({ width, height }) ? '<p class="picture tall">' : '<p class="picture">'
  if (!avif) return `${opening}${image}</p>`
  return `${opening}<picture><source type="image/avif" srcset="${escapeHtml(avif)}" sizes="${sizes}">${image}</picture></p>`
}

function attachmentHtml(attrs: Attachment['attrs'], around: Surroundings): string {
  const found = around.attachment?.(attrs)
  if (!found) return `<p class="gone">${escapeHtml(attrs.name)}</p>`
  const { href, name, bytes } = found
  return `<p class="file"><a href="${escapeHtml(href)}" download="${escapeHtml(name)}">${escapeHtml(name)}</a> <span data-bytes="${bytes}">${sizeOf(bytes)}</span></p>`
}

// The column of a post is 720 pixels wide, or as wide as a phone.
const sizes = '(min-width: 752px) 720px, calc(100vw - 32px)'

function inlineHtml(inlines: readonly Inline[] = [], around: Page): string {
  const html = byLink(inlines)
    .map(({ link, inlines: within }) => {
      const inner = within.map((inline) => oneInline(inline, around)).join('')
      return link ? linked(inner, link, around) : inner
    })
    .join('')
  return around.direction === 'rtl' ? html.replaceAll('<code>', '<code dir="ltr">') : html
}

function oneInline(inline: Inline, around: Surroundings): string {
  if (inline.type === 'hardBreak') return '<br>'
  if (inline.type === 'text') return (inline.marks ?? []).reduceRight(marked, escapeHtml(inline.text))
  const member = around.mention(inline.attrs.id)
  if (!member) return `@${escapeHtml(inline.attrs.label)}`
  return `<a class="mention" href="${escapeHtml(member.href)}">@${escapeHtml(member.name)}</a>`
}

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const

function marked(html: string, mark: Mark): string {
  return mark.type === 'link' ? html : `<${tags[mark.type]}>${html}</${tags[mark.type]}>`
}

function linked(html: string, { attrs }: Link, { direction }: Page): string {
  const href = safeUrl(attrs.href)
  if (!href) return html
  const title = attrs.title ? ` title="${escapeHtml(attrs.title)}"` : ''
  const dir = direction === 'rtl' && isAddress(html) ? ' dir="ltr"' : ''
  return `<a href="${escapeHtml(href)}"${title}${dir}${href.startsWith('/') ? '' : ' rel="noopener ugc nofollow" target="_blank"'}>${html}</a>`
}

function codeHtml(language: string, code: string, room: Room, dir: string): string {
  const inner = coloured(language, code, room)
  const name = nameOfLanguage(language)
  const named = name ? ` data-language="${escapeHtml(name)}"` : ''
  return `<pre tabindex="0"${named}${dir}><code class="language-${codeLanguageOf(language)}">${inner ? colouredHtml(inner) : escapeHtml(code)}</code></pre>`
}

function colouredHtml(nodes: readonly Coloured[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : `<span class="${node.kind}">${colouredHtml(node.content)}</span>`))
    .join('')
}
