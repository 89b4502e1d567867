import { places as assistant } from '#assistant/web/places.tsx'
import { addPlaces } from '#base/web/places.tsx'
import { places as poll } from '#poll/web/places.tsx'
import { places as question } from '#question/web/places.tsx'
import { places as redEnvelope } from '#red-envelope/web/places.tsx'

// The places of threads, loaded with their text. In the order on the page.
addPlaces([redEnvelope, poll, question, assistant])
