import { nameOf, placesOf, type Place } from '#base/server/database/address.ts'

/** The sessions that may be used: those of a primary, of a standby, of either, or of a standby as long as there is one. */
export type Target = 'primary' | 'standby' | 'any' | 'prefer-standby'

const avoidMs = 10_000

/** The hosts of an address, and what the connections of this process have learnt of them. */
export class Hosts {
  readonly places: readonly Place[]
  readonly target: Target
  #last: Place | undefined
  readonly #avoidedUntil = new Map<Place, number>()

  constructor(address: string) {
    this.places = placesOf(address)
    this.target = targetOf(new URL(address).searchParams.get('target_session_attrs'))
  }

  get names(): string {
    return this.places.map(nameOf).join(', ')
  }

  /** First the one that worked last, and last those that failed a moment ago. */
  inTurn(): Place[] {
    const first = this.#last ? this.places.indexOf(this.#last) : 0
    const round = [...this.places.slice(first), ...this.places.slice(0, first)]
    return round.toSorted((one, other) => Number(this.isAvoided(one)) - Number(this.isAvoided(other)))
  }

  isAvoided(place: Place): boolean {
    return performance.now() < (this.#avoidedUntil.get(place) ?? 0)
  }

  /** A place that is only second best is asked again later. */
  worked(place: Place, isPreferred: boolean): void {
    this.#last = place
    if (isPreferred) this.#avoidedUntil.delete(place)
  }

  /** It answers, so it comes before those that do not. */
  hasOtherRole(place: Place): void {
    if (this.target === 'prefer-standby') this.#last = place
    this.avoid(place)
  }

  avoid(place: Place): void {
    this.#avoidedUntil.set(place, performance.now() + avoidMs)
  }
}

function targetOf(attribute: string | null): Target {
  if (attribute === 'read-only' || attribute === 'standby') return 'standby'
  return attribute === 'any' || attribute === 'prefer-standby' ? attribute : 'primary'
}

const known = new Map<string, Hosts>()

/** The same for all connections of this process to the same hosts, so that one learns from another. */
export function hostsOf(address: string): Hosts {
  const { host, hostname, searchParams } = new URL(address)
  const key = JSON.stringify([host, hostname, ...['host', 'port', 'target_session_attrs'].map((name) => searchParams.get(name))])
  const hosts = known.get(key) ?? new Hosts(address)
  known.set(key, hosts)
  return hosts
}
