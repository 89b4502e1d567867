import { byFeature } from '#apps/admin/lists/places.ts'
import { withFirst } from '#base/collect-declarations.ts'
import { addPlaces } from '#base/web/places.tsx'

// In the order on the page.
addPlaces(Object.values(withFirst(byFeature, ['membership', 'payment', 'poll'])))
