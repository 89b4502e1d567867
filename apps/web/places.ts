import { byFeature } from '#apps/web/lists/places.ts'
import { withFirst } from '#base/collect-declarations.ts'
import { addPlaces } from '#base/web/places.tsx'

// The places of threads, loaded with their text. In the order on the page.
addPlaces(Object.values(withFirst(byFeature, ['redEnvelope', 'poll'])))
