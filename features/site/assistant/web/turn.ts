import type { Piece, SourceView, TurnView } from '#assistant/contract.ts'

/** A question and its answer, as shown on this page. */
export type Turn = Omit<TurnView, 'id' | 'at'> & {
  key: string
  /** Null until the server has created it. */
  id: string | null
  /** The answer streams into this page, not another one. */
  isHere: boolean
  /** The query of a running search in the forum. */
  looking: string | null
  /** The model is busy, and is asked again in a moment. */
  isWaiting: boolean
  /** The answer before the running stream, which continues it. */
  answerBefore: string
}

const idle = { looking: null, isWaiting: false, answerBefore: '' }

let last = 0

export function newTurn(prompt: string): Turn {
  const nothing = { answer: '', sources: [], failure: null, failureCode: null, leftOut: [], isStandIn: false }
  return { ...nothing, ...idle, key: `new ${++last}`, id: null, prompt, state: 'running', isHere: true }
}

export function storedTurn(turn: TurnView, key = turn.id): Turn {
  const { id, prompt, answer, sources, state, failure, failureCode, leftOut, isStandIn } = turn
  return { ...idle, key, id, prompt, answer, sources, state, failure, failureCode, leftOut, isStandIn, isHere: false }
}

/** A turn with a further piece of its answer. */
export function withPiece(turn: Turn, { kind, turnId, text = '', source, turn: whole }: Piece): Turn {
  switch (kind) {
    case 'begun':
      return { ...turn, id: turnId ?? turn.id }
    case 'looking':
      return { ...turn, looking: text, isWaiting: false }
    case 'waiting':
      return { ...turn, isWaiting: true }
    case 'source':
      return source ? { ...turn, sources: withSource(turn.sources, source) } : turn
    case 'text':
      return { ...turn, looking: null, isWaiting: false, answer: turn.answer + text }
    case 'restart':
      return { ...turn, answer: turn.answerBefore }
    case 'turn':
      return whole ? storedTurn(whole, turn.key) : turn
  }
}

/** A source is sent again when more of its pictures were shown. */
function withSource(sources: readonly SourceView[], source: SourceView): SourceView[] {
  const isKnown = sources.some(({ path }) => path === source.path)
  return isKnown ? sources.map((one) => (one.path === source.path ? source : one)) : [...sources, source]
}

const renderEveryMs = 60

/** Batches pieces, to limit how often an answer renders. */
export function batchPieces<P extends { kind: string } = Piece>(take: (pieces: readonly P[]) => void) {
  let pieces: P[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const come = pieces
    pieces = []
    if (come.length > 0) take(come)
  }

  function tell(piece: P): void {
    pieces.push(piece)
    if (piece.kind !== 'text') flush()
    else timer ??= setTimeout(flush, renderEveryMs)
  }
  return { tell, flush }
}
