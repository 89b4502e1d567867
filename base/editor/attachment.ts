import { Node } from '@tiptap/core'
import { firstCharacters } from '#base/characters.ts'
import { formatSize } from '#base/size.ts'

/** An uploaded file for readers to download. Pasted HTML cannot bring others. */
export const attachment = Node.create({
  name: 'file',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    file: { default: '', rendered: false, parseHTML: (box: HTMLElement) => fileIn(box) },
    name: {
      default: 'file',
      rendered: false,
      parseHTML: (box: HTMLElement) => firstCharacters(box.querySelector('a')?.textContent ?? '', 200) || 'file',
    },
    bytes: { default: 1, rendered: false, parseHTML: (box: HTMLElement) => bytesIn(box) },
  }),
  parseHTML: () => [{ tag: 'p.file', priority: 60, getAttrs: (box) => (fileIn(box) ? null : false) }],
  renderHTML({ node: { attrs } }) {
    const { file, name, bytes } = attrs
    const size = ['span', { 'data-bytes': String(bytes) }, formatSize(bytes)] as const
    return ['p', { class: 'file' }, ['a', { href: `/file/${file}`, download: name }, name], ' ', size]
  },
})

function fileIn(box: HTMLElement): string | null {
  return /^\/file\/([\w-]{1,64})$/.exec(box.querySelector('a')?.getAttribute('href') ?? '')?.[1] ?? null
}

function bytesIn(box: HTMLElement): number {
  const bytes = Number(box.querySelector<HTMLElement>('[data-bytes]')?.dataset['bytes'])
  return Number.isInteger(bytes) && bytes >= 1 && bytes <= 999_999_999 ? bytes : 1
}
