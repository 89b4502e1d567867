import { byFeature } from '#apps/server/lists/features.ts'
import { collect, type Feature } from '#base/server/feature.ts'
import { guardDifferences } from '#database/guards.ts'
import type { Check } from '#wallet/server/breaches.ts'

const guards: Check = { name: 'what guards the books is as the program has it', over: 'database', breaches: guardDifferences }

/** The features of the program, in the order of features/order.js. */
export const features: readonly Feature[] = [{ name: 'guards', bookChecks: [guards] }, ...Object.values(byFeature)]

export const routes = collect(features, 'routes')
export const streams = collect(features, 'streams')
export const bookChecks = collect(features, 'bookChecks')
