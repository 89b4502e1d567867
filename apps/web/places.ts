import { byFeature } from '#apps/web/lists/places.ts'
import { addPlaces } from '#base/web/places.tsx'

// The places of threads, loaded with their text.
addPlaces(Object.values(byFeature))
