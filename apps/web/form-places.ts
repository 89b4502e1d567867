import { byFeature } from '#apps/web/lists/form-places.ts'
import { withFirst } from '#base/collect-declarations.ts'
import { addPlaces } from '#base/web/places.tsx'

// The places of forms, loaded with the first part that loads later. In the order on the page.
addPlaces(Object.values(withFirst(byFeature, ['bounty', 'poll'])))
