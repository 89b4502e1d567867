import { places as assistant } from '#assistant/web/form-places.tsx'
import { addPlaces } from '#base/web/places.tsx'
import { places as bounty } from '#bounty/web/form-places.tsx'
import { places as poll } from '#poll/web/form-places.tsx'
import { places as redEnvelope } from '#red-envelope/web/form-places.tsx'

// The places of forms, loaded with the first part that loads later. In the order on the page.
addPlaces([bounty, poll, redEnvelope, assistant])
