type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never

/** The declarations of all features in one record, with their literal types. */
export type Collected<ByFeature extends Record<string, object>> = Intersection<ByFeature[keyof ByFeature]>

/** All that features declare under names of their own, in one record. */
export function collectDeclarations<const ByFeature extends Record<string, object>>(byFeature: ByFeature): Collected<ByFeature> {
  return Object.assign({}, ...Object.values(byFeature))
}

/** The declarations in the order of a page: those of some features first, all others in the order of features. */
export function withFirst<const ByFeature extends object>(byFeature: ByFeature, first: readonly (keyof ByFeature & string)[]): ByFeature {
  const inOrder = [...first, ...Object.keys(byFeature)] as (keyof ByFeature)[]
  return Object.fromEntries(inOrder.map((name) => [name, byFeature[name]])) as ByFeature
}

/** The feature that declares each name. */
export function featuresByName(byFeature: Readonly<Record<string, object>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(byFeature).flatMap(([feature, its]) => Object.keys(its).map((name) => [name, feature])))
}
