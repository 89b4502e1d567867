import { Node } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'
import type { NodeView } from '@tiptap/pm/view'
import { firstCharacters } from '#base/characters.ts'
import { isTall } from '#base/rich-text/document.ts'
import { showSrc, srcOf } from '#base/editor/picture-src.ts'
import type { Translate } from '#base/web/words.tsx'
import css from '#base/editor/blocks.module.css'

const maxAltLength = 300

/** An uploaded picture with a description. Pasted HTML cannot bring pictures from other hosts. */
export function picture(words: Translate) {
  return Node.create({
    name: 'image',
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => ({
      file: { default: '', rendered: false, parseHTML: (image: HTMLElement) => fileOf(image) },
      alt: { default: '', parseHTML: (image: HTMLElement) => firstCharacters(image.getAttribute('alt') ?? '', maxAltLength) },
      width: { default: 1, parseHTML: (image: HTMLElement) => side(image.getAttribute('width')) },
      height: { default: 1, parseHTML: (image: HTMLElement) => side(image.getAttribute('height')) },
    }),
    parseHTML: () => [{ tag: 'img[src]', getAttrs: (image) => (fileOf(image) ? null : false) }],
    renderHTML: ({ node, HTMLAttributes }) => ['img', { ...HTMLAttributes, src: srcOf(node.attrs['file']) }],
    addNodeView: () => (view) =>
      pictureView(view.node, words, (alt) => view.editor.commands.command(({ tr }) => describe(tr, view.getPos(), alt))),
  })
}

/** The file id of one of our pictures; null for others. */
export function fileOf(image: HTMLElement): string | null {
  const { origin, pathname } = URL.parse(image.getAttribute('src') ?? '', location.href) ?? {}
  return origin === location.origin && pathname ? (/^\/file\/([\w-]{1,64})$/.exec(pathname)?.[1] ?? null) : null
}

function side(written: string | null): number {
  const pixels = Number(written)
  return Number.isInteger(pixels) && pixels >= 1 && pixels <= 65_535 ? pixels : 1
}

function describe(
  tr: { setNodeAttribute(pos: number, name: string, value: unknown): unknown },
  at: number | undefined,
  alt: string,
): boolean {
  if (at !== undefined) tr.setNodeAttribute(at, 'alt', alt)
  return at !== undefined
}

function pictureView(first: ProseNode, words: Translate, say: (alt: string) => void): NodeView {
  const dom = document.createElement('figure')
  const image = document.createElement('img')
  const alt = document.createElement('input')
  dom.className = css.picture ?? ''
  image.draggable = false
  alt.type = 'text'
  alt.placeholder = words('describePicture')
  alt.setAttribute('aria-label', words('describePicture'))
  alt.addEventListener('input', () => say(firstCharacters(alt.value, maxAltLength)))
  dom.append(image, alt)
  function show({ attrs }: ProseNode): void {
    if (image.dataset['file'] !== attrs['file']) {
      image.dataset['file'] = attrs['file']
      void showSrc(image, attrs['file'])
    }
    image.width = attrs['width']
    image.height = attrs['height']
    image.classList.toggle(css.tall ?? '', isTall({ width: attrs['width'], height: attrs['height'] }))
    image.alt = attrs['alt']
    if (alt.value !== attrs['alt']) alt.value = attrs['alt']
  }
  show(first)
  return {
    dom,
    update(node) {
      if (node.type !== first.type) return false
      show(node)
      return true
    },
    stopEvent: (event) => event.target === alt,
    ignoreMutation: () => true,
  }
}
