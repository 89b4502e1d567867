import { measures, type Measure, type Pattern, type Shared } from '#collusion/contract.ts'
import type { WeightedFlow } from '#collusion/server/flows.ts'

/** The thresholds of a hint. Shares are in percent. */
export const thresholds = {
  likes: 10,
  payments: 3,
  /** Of a giver's total, and of a receiver's total. */
  ofGiven: 20,
  ofReceived: 20,
  /** The same for a flow in one direction. */
  mostly: 50,
  /** The factor by which a liker prefers the members of a ring. */
  timesOthers: 3,
} as const

/** Accounts are linked by more than the time of registering, since many register at the same time. */
export function areLinked(shared: readonly Shared[]): boolean {
  return shared.some(({ kind }) => kind !== 'registered')
}

/** The patterns of these members that differ from those of other members. A pair that is linked needs fewer payments. */
export function patternsOf(members: readonly string[], flows: readonly WeightedFlow[], isLinked: boolean): Pattern[] {
  return measures.flatMap((measure): Pattern[] => {
    const its = flows.filter((flow) => flow.measure === measure)
    if (isRing(members, measure, its, isLinked)) return [{ measure, shape: 'ring' }]
    return isLinked && members.length === 2 && its.some((flow) => isMostlyTheirs(flow)) ? [{ measure, shape: 'oneWay' }] : []
  })
}

/** A ring is a large part of all that each of its members gives and receives: a shop has other buyers, a popular author other readers. */
function isRing(members: readonly string[], measure: Measure, flows: readonly WeightedFlow[], isLinked: boolean): boolean {
  const strong = flows.filter(({ ofGiven, ofReceived }) => ofGiven >= thresholds.ofGiven && ofReceived >= thresholds.ofReceived)
  const enough = measure === 'likes' ? thresholds.likes : isLinked && members.length === 2 ? 1 : thresholds.payments
  const edges = strong.filter((flow) => flow.times >= enough && (measure !== 'likes' || isFarAbove(flow, strong)))
  const [first = '', ...rest] = members
  return goesRound(first, rest)

  function goesRound(from: string, left: readonly string[]): boolean {
    if (left.length === 0) return edges.some((edge) => edge.from === from && edge.to === first)
    return edges.some(
      (edge) =>
        edge.from === from &&
        left.includes(edge.to) &&
        goesRound(
          edge.to,
          left.filter((one) => one !== edge.to),
        ),
    )
  }
}

/** Likes within a ring are several times as many as the average of the liker's other likes. */
function isFarAbove({ from, times }: WeightedFlow, among: readonly WeightedFlow[]): boolean {
  const own = among.filter((flow) => flow.from === from)
  const { givenTimes = 0, takers = 0 } = own[0] ?? {}
  const others = takers - own.length
  const toOthers = givenTimes - own.reduce((sum, flow) => sum + flow.times, 0)
  return others === 0 || times >= (thresholds.timesOthers * toOthers) / others
}

function isMostlyTheirs({ measure, times, ofGiven, ofReceived }: WeightedFlow): boolean {
  return (
    times >= (measure === 'likes' ? thresholds.likes : thresholds.payments) &&
    ofGiven >= thresholds.mostly &&
    ofReceived >= thresholds.mostly
  )
}
