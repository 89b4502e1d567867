import { directionOf, type Direction } from '#base/direction.ts'
import type { Node, Text } from '#base/rich-text/document.ts'

/** The direction of a block, from the first letter of its words; null if it has none. Code, mentions and addresses have their own. */
export function blockDirection(block: Node): Direction | null {
  if (block.type === 'codeBlock') return null
  if (block.type === 'text') return hasOwnDirection(block as Text) ? null : directionOf(block.text ?? '')
  for (const inner of block.content ?? []) {
    const direction = blockDirection(inner)
    if (direction) return direction
  }
  return null
}

function hasOwnDirection({ text, marks = [] }: Text): boolean {
  return marks.some(({ type }) => type === 'code' || (type === 'link' && isAddress(text)))
}

/** Whether the text of a link is an address, which reads from left to right. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}
