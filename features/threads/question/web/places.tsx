import type { PlaceComponents } from '#base/web/places.tsx'
import { Postscripts } from '#question/web/postscripts.tsx'

export const places: PlaceComponents = {
  'thread.belowText': Postscripts,
}
