import type { PiecesView } from '#search/contract.ts'

export function Marked({ pieces }: { pieces: PiecesView }) {
  return pieces.map(({ text, isHit }, at) => (isHit ? <mark key={at}>{text}</mark> : text))
}
