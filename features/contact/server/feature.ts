import type { Feature } from '#base/server/feature.ts'
import { routes } from '#contact/server/routes.ts'
import { addressesOf } from '#contact/server/contact.ts'

export const feature: Feature = {
  name: 'contact',
  routes,
  memberAddresses: addressesOf,
}
