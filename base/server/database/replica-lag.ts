import { toNumber, type WritePosition } from '#base/server/database/write-position.ts'

/** The lag is as exact as this part of it, so that few positions are kept of a replica that is behind for days. */
const exactness = 1 / 300

/** How far a replica is behind, in time: since when the primary has been at a position that the replica has not replayed yet. */
export class ReplicaLag {
  #replayed = 0n
  /** Positions the primary was seen at, the oldest first. */
  #unreplayed: { at: number; position: bigint }[] = []

  primaryAt(position: WritePosition, now: number): void {
    const [seen, oldest, newest] = [toNumber(position), this.#unreplayed[0], this.#unreplayed.at(-1)]
    if (seen <= (newest?.position ?? this.#replayed)) return
    if (oldest && newest && now - newest.at < (now - oldest.at) * exactness) newest.position = seen
    else this.#unreplayed.push({ at: now, position: seen })
  }

  replicaAt(position: WritePosition): void {
    this.#replayed = toNumber(position)
    this.#unreplayed = this.#unreplayed.filter((one) => one.position > this.#replayed)
  }

  /** To a tenth of a second. */
  seconds(now: number): number {
    const oldest = this.#unreplayed[0]
    return oldest ? Math.round((now - oldest.at) / 100) / 10 : 0
  }
}
