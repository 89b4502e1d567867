import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { carryDrafts, type Carrier } from '#base/web/editor/draft-place.ts'
import { draftStates } from '#base/web/editor/draft-state.ts'
import { placeOf } from '#draft/web/here.ts'
import { begin, change, choose, go, hurry, open, turn, type Journey } from '#draft/web/journey.ts'

/** Takes a member's drafts to the site when typing pauses, and brings what their other devices and tabs wrote. */
export function carry(api: Api): void {
  const journeys = new Map<string, Journey>()
  const all = () => [...journeys.values()]

  function journeyOf(draftKey: string): Journey | null {
    const place = placeOf(draftKey, member.get()?.userId)
    if (place === null) return null
    const journey = journeys.get(draftKey) ?? begin(api, draftKey, place)
    journeys.set(draftKey, journey)
    return journey
  }

  function withJourney(deed: (journey: Journey) => void): (draftKey: string) => void {
    return (draftKey) => {
      const journey = journeyOf(draftKey)
      if (journey) deed(journey)
    }
  }

  const carrier: Carrier = {
    opened: withJourney((journey) => void open(journey)),
    changed: withJourney(change),
    touchedElsewhere: withJourney(turn),
    keep: (draftKey, which) => withJourney((journey) => choose(journey, which))(draftKey),
  }
  addEventListener('online', () => all().forEach(hurry))
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) all().forEach(hurry)
    else for (const journey of all()) if (draftStates.get().get(journey.draftKey)?.why) void go(journey)
  })
  let was = member.get()
  member.watch(() => {
    if (!was && member.get()) carryDrafts(carrier)
    was = member.get()
  })
  carryDrafts(carrier)
}
