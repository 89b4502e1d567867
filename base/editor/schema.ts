import { Mark, Node } from '@tiptap/core'
import { firstCharacters } from '#base/characters.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

// Stored in the document and never parsed from an attribute of that name in pasted HTML.
const internalAttribute = { rendered: false, parseHTML: () => null }

/** The editor's schema of a post: exactly the nodes and marks of `document.ts`. */
const paragraph = Node.create({
  name: 'paragraph',
  group: 'block',
  content: 'inline*',
  priority: 1000,
  parseHTML: () => [{ tag: 'p' }],
  renderHTML: () => ['p', 0],
})

const text = Node.create({ name: 'text', group: 'inline' })

const heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => ({ level: { default: 2, ...internalAttribute } }),
  parseHTML: () => [1, 2, 3, 4, 5, 6].map((written) => ({ tag: `h${written}`, attrs: { level: Math.min(4, Math.max(2, written)) } })),
  renderHTML: ({ node }) => [`h${node.attrs['level']}`, 0],
})

const bulletList = Node.create({
  name: 'bulletList',
  group: 'block list',
  content: 'listItem+',
  parseHTML: () => [{ tag: 'ul' }],
  renderHTML: () => ['ul', { dir: 'auto' }, 0],
})

const orderedList = Node.create({
  name: 'orderedList',
  group: 'block list',
  content: 'listItem+',
  addAttributes: () => ({ start: { default: 1, parseHTML: (list: HTMLElement) => startOf(list) } }),
  parseHTML: () => [{ tag: 'ol' }],
  renderHTML: ({ node }) => ['ol', { dir: 'auto', ...(node.attrs['start'] !== 1 && { start: node.attrs['start'] }) }, 0],
})

function startOf(list: HTMLElement): number {
  const start = Number(list.getAttribute('start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= 999_999_999 ? start : 1
}

const listItem = Node.create({
  name: 'listItem',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: () => ['li', 0],
})

const taskList = Node.create({
  name: 'taskList',
  group: 'block list',
  content: 'taskItem+',
  parseHTML: () => [{ tag: 'ul.tasks', priority: 60 }],
  renderHTML: () => ['ul', { class: 'tasks', dir: 'auto' }, 0],
})

export const taskItem = Node.create({
  name: 'taskItem',
  content: 'block+',
  defining: true,
  addAttributes: () => ({ checked: { default: false, rendered: false, keepOnSplit: false, parseHTML: isTicked } }),
  parseHTML: () => [
    { tag: 'ul.tasks > li', priority: 60, contentElement: (item: HTMLElement) => item.querySelector<HTMLElement>(':scope > div') ?? item },
  ],
  renderHTML: ({ node }) => ['li', { 'data-checked': String(node.attrs['checked']) }, ['div', 0]],
})

function isTicked(item: HTMLElement): boolean {
  return item.dataset['checked'] === 'true' || item.querySelector(':scope > [data-checked="true"]') !== null
}

const blockquote = Node.create({
  name: 'blockquote',
  group: 'block',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'blockquote' }],
  renderHTML: () => ['blockquote', { dir: 'auto' }, 0],
})

const horizontalRule = Node.create({
  name: 'horizontalRule',
  group: 'block',
  parseHTML: () => [{ tag: 'hr' }],
  renderHTML: () => ['hr'],
})

const hardBreak = Node.create({
  name: 'hardBreak',
  group: 'inline',
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: 'br' }],
  renderHTML: () => ['br'],
  renderText: () => '\n',
})

const mention = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ id: { default: '', ...internalAttribute }, label: { default: '', ...internalAttribute } }),
  parseHTML: () => [
    { tag: 'span[data-mention]', getAttrs: (span) => ({ id: span.dataset['mention'], label: labelOf(span) }) },
    { tag: 'a.mention', priority: 60, getAttrs: (link) => parseMention(link) },
  ],
  renderHTML: ({ node }) => ['span', { class: 'mention', dir: 'auto', 'data-mention': node.attrs['id'] }, `@${node.attrs['label']}`],
  renderText: ({ node }) => `@${node.attrs['label']}`,
})

function labelOf(element: HTMLElement): string {
  return firstCharacters(element.textContent.replace(/^@/, ''), 50) || '?'
}

function parseMention(link: HTMLElement): { id: string; label: string } | false {
  const id = /[?&]userId=([1-9]\d{0,17})$/.exec(link.getAttribute('href') ?? '')?.[1]
  return id ? { id, label: labelOf(link) } : false
}

const link = Mark.create({
  name: 'link',
  inclusive: false,
  exitable: true,
  addAttributes: () => ({ href: { default: '' }, title: { default: null } }),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (element) => (safeUrl(element.getAttribute('href') ?? '') ? null : false) }],
  renderHTML: ({ HTMLAttributes }) => ['a', { ...HTMLAttributes, rel: 'noopener ugc nofollow' }, 0],
})

const bold = Mark.create({
  name: 'bold',
  // Some programs wrap everything they copy in a <b> that is not bold.
  parseHTML: () => [
    { tag: 'strong' },
    { tag: 'b', getAttrs: (element) => (element.style.fontWeight === 'normal' ? false : null) },
    { style: 'font-weight', getAttrs: (weight) => (/^(bold(er)?|[6-9]\d\d)$/.test(weight) ? null : false) },
  ],
  renderHTML: () => ['strong', 0],
})

const italic = Mark.create({
  name: 'italic',
  parseHTML: () => [
    { tag: 'em' },
    { tag: 'i', getAttrs: (element) => (element.style.fontStyle === 'normal' ? false : null) },
    { style: 'font-style=italic' },
  ],
  renderHTML: () => ['em', 0],
})

const strike = Mark.create({
  name: 'strike',
  parseHTML: () => [
    { tag: 's' },
    { tag: 'del' },
    { tag: 'strike' },
    { style: 'text-decoration', consuming: false, getAttrs: (style) => (style.includes('line-through') ? {} : false) },
  ],
  renderHTML: () => ['s', 0],
})

const code = Mark.create({
  name: 'code',
  code: true,
  parseHTML: () => [{ tag: 'code' }],
  renderHTML: () => ['code', 0],
})

const wholeRoot = Node.create({ name: 'doc', topNode: true, content: '(block | hidden | shut)+' })
const plainRoot = Node.create({ name: 'doc', topNode: true, content: '(paragraph | image | hidden | shut)+' })

// Marks have the same order in documents.
export const plainSchema = [plainRoot, paragraph, text, hardBreak, mention, link, bold, italic, strike, code]
export const wholeSchema = [
  wholeRoot,
  ...plainSchema.slice(1),
  heading,
  bulletList,
  orderedList,
  listItem,
  taskList,
  blockquote,
  horizontalRule,
]
