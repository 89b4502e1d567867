import { byFeature } from '#apps/admin/lists/places.ts'
import { addPlaces } from '#base/web/places.tsx'

addPlaces(Object.values(byFeature))
