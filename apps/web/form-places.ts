import { byFeature } from '#apps/web/lists/form-places.ts'
import { addPlaces } from '#base/web/places.tsx'

// The places of forms, loaded with the first part that loads later.
addPlaces(Object.values(byFeature))
