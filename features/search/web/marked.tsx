import type { PiecesView } from '#search/contract.ts'

/** A text with what was looked for marked in it. */
export function Marked({ pieces }: { pieces: PiecesView }) {
  return pieces.map(({ text, isHit }, at) => (isHit ? <mark key={at}>{text}</mark> : text))
}
