import { addPlaces } from '#base/web/places.tsx'
import { places as membership } from '#membership/admin/places.tsx'
import { places as payment } from '#payment/admin/places.tsx'
import { places as poll } from '#poll/admin/places.tsx'
import { places as wallet } from '#wallet/admin/places.tsx'

// In the order on the page.
addPlaces([membership, payment, poll, wallet])
