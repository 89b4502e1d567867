import { useEffect, useRef, type RefObject } from 'react'

const name = 'sensitive-words'

/** Highlights these texts in an element without changing the DOM. Screen readers get them from the list beside it. */
export function useHighlights<E extends HTMLElement>(texts: readonly string[]): RefObject<E | null> {
  const place = useRef<E>(null)
  const key = texts.join('\n')
  useEffect(() => {
    if (!place.current || !('highlights' in CSS) || key === '') return
    CSS.highlights.set(name, new Highlight(...rangesOf(place.current, key.split('\n'))))
    return () => void CSS.highlights.delete(name)
  }, [key])
  return place
}

/** The ranges of these texts, also across bold and links, but never across two blocks. */
export function rangesOf(root: HTMLElement, texts: readonly string[]): Range[] {
  const { text, nodes } = textIn(root)
  return texts.flatMap((word) =>
    startsOf(text, word).map((from) => {
      const range = document.createRange()
      range.setStart(...positionIn(nodes, from))
      range.setEnd(...positionIn(nodes, from + word.length - 1, 1))
      return range
    }),
  )
}

type Piece = { node: Text; from: number }

function textIn(root: HTMLElement): { text: string; nodes: Piece[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: Piece[] = []
  let text = ''
  let block: Element | null = null
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const its: Element | null = node.parentElement?.closest('p, li, h1, h2, h3, h4, td, th, pre, figcaption, div') ?? null
    if (its !== block) text += '\n'
    block = its
    nodes.push({ node, from: text.length })
    text += node.data
  }
  return { text, nodes }
}

/** The start of each occurrence, except where it is only a part of a word. */
export function startsOf(text: string, word: string): number[] {
  const starts: number[] = []
  for (let from = text.indexOf(word); from !== -1; from = text.indexOf(word, from + word.length)) {
    if (isWhole(text, from, from + word.length)) starts.push(from)
  }
  return starts
}

// Letters that join their neighbours to words are no word of their own.
const joiningLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u

function isWhole(text: string, from: number, to: number): boolean {
  const goesOn = (one: number, other: number) => joiningLetter.test(text[one] ?? '') && joiningLetter.test(text[other] ?? '')
  return !goesOn(from - 1, from) && !goesOn(to - 1, to)
}

function positionIn(nodes: readonly Piece[], place: number, after = 0): [Text, number] {
  const piece = nodes.findLast(({ from }) => from <= place)
  if (!piece) throw new Error('No text stands there')
  return [piece.node, place - piece.from + after]
}
