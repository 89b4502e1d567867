/** What is there of a dump and not yet read. A scanner that needs more than that leaves `position` where it is and gives null. */
export type Input = {
  bytes: Buffer
  position: number
  /** Nothing follows. */
  isLast: boolean
}

/** An input that is filled piece by piece. */
export type Feed = {
  input: Input
  /** Takes a piece; true once there is so much that reading on is worth it. */
  add(piece: Buffer): boolean
  end(): void
}

export function createFeed(): Feed {
  const input: Input = { bytes: Buffer.alloc(0), position: 0, isLast: false }
  let pieces: Buffer[] = []
  let waiting = 0
  function join(): void {
    input.bytes = Buffer.concat([input.bytes.subarray(input.position), ...pieces])
    input.position = 0
    pieces = []
    waiting = 0
  }
  return {
    input,
    add(piece) {
      pieces.push(piece)
      waiting += piece.length
      // A long row is scanned from its start each time, so each time twice as much is there.
      if (waiting < input.bytes.length - input.position) return false
      join()
      return true
    },
    end() {
      join()
      input.isLast = true
    },
  }
}
