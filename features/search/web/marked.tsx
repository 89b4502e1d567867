import type { PiecesView } from '#search/contract.ts'

/** A text with its matches marked. */
export function Marked({ pieces }: { pieces: PiecesView }) {
  return pieces.map(({ text, isHit }, at) => (isHit ? <mark key={at}>{text}</mark> : text))
}
