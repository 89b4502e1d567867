import type { Block, Doc, Inline } from '#base/rich-text/document.ts'

/** A document with one paragraph for each text. */
export function says(...texts: string[]): Doc {
  return { type: 'doc', content: texts.map((text) => paragraph({ type: 'text', text })) }
}

export function documentWith(...content: Block[]): Doc {
  return { type: 'doc', content }
}

export function paragraph(...content: Inline[]): Block {
  return { type: 'paragraph', content }
}

export function mention(id: string, label = 'somebody'): Inline {
  return { type: 'mention', attrs: { id, label } }
}

export function picture(file: string): Block {
  return { type: 'image', attrs: { file, alt: 'A cup', width: 8, height: 8 } }
}
