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
  const begun = open.filter((place) => formsOf(place).beginnings.some((one) => one.startsWith(text)))
  const within = onlyBegun ? [] : open.filter((place) => formsOf(place).names.some((one) => one.includes(text)))
  return [...new Set([...begun, ...within])].slice(0, maxTags)
}

type Forms = { names: readonly string[]; beginnings: readonly string[] }
// A cache; places are the same objects until a tag changes.
const known = new WeakMap<PlaceView, Forms>()

function formsOf(place: PlaceView): Forms {
  const before = known.get(place)
  if (before) return before
  const both = [place.name.zh, place.name.en]
  const names = both.map((one) => fold(one).text)
  const forms = { names, beginnings: [place.key, ...names, ...both.flatMap(typedForms)] }
  known.set(place, forms)
  return forms
}
