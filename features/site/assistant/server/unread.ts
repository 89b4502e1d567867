import type { LeftOut } from '#assistant/contract.ts'

type ThreadRead = { /** The last floor that was read, where there are more. */ cutAt: number | null; isShortened: boolean }

/** Tracks input left out of a prompt for lack of room. A thread too long for one read counts until the model reads on. */
export class Unread {
  /** The first unread floor of each thread. */
  readonly #from = new Map<string, number>()
  readonly #parts: Set<LeftOut>

  /** `before`: parts left out before the same answer was continued. */
  constructor(before: readonly LeftOut[]) {
    this.#parts = new Set(before)
  }

  leave(what: LeftOut): void {
    this.#parts.add(what)
  }

  note(topicId: string, fromFloor: number, { cutAt, isShortened }: ThreadRead): void {
    if (isShortened) this.leave('thread')
    if (fromFloor > (this.#from.get(topicId) ?? fromFloor)) return
    if (cutAt === null) this.#from.delete(topicId)
    else this.#from.set(topicId, cutAt + 1)
  }

  get parts(): LeftOut[] {
    return [...new Set([...this.#parts, ...(this.#from.size > 0 ? (['thread'] as const) : [])])]
  }
}
