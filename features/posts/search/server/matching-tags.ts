import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { fold } from '#search/server/text/fold.ts'
import { typedForms } from '#search/server/text/sound.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'

const maxTags = 3

/** Tags with a matching name that this viewer may see: first those that begin with it, then those that contain it. */
export async function matchingTags(db: Db, viewer: Viewer, keyword: string, { onlyBegun }: { onlyBegun: boolean }): Promise<PlaceView[]> {
  const text = fold(keyword).text.trim()
  if (text === '') return []
  const places = [...(await tag.places(db)).values()]
  const above = new Set(places.flatMap(({ parent }) => parent?.id ?? []))
  const ends = places.filter(({ id }) => !above.has(id) && viewer.may('tag.view', id))
  const seenAbove = new Set(ends.flatMap(({ parent }) => parent?.id ?? []))
  const open = [...places.filter(({ id }) => seenAbove.has(id)), ...ends]
  const begun = open.filter((place) => beginningsOf(place).some((one) => one.startsWith(text)))
  const within = onlyBegun ? [] : open.filter((place) => namesOf(place).some((one) => one.includes(text)))
  return [...new Set([...begun, ...within])].slice(0, maxTags)
}

// A cache; places are the same objects until a tag changes.
const beginnings = new WeakMap<PlaceView, string[]>()

function beginningsOf(place: PlaceView): string[] {
  const known = beginnings.get(place)
  if (known) return known
  const forms = [place.key, ...namesOf(place), ...[place.name.zh, place.name.en].flatMap(typedForms)]
  beginnings.set(place, forms)
  return forms
}

function namesOf({ name }: PlaceView): string[] {
  return [name.zh, name.en].map((one) => fold(one).text)
}
