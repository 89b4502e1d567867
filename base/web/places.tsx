import type { ComponentType } from 'react'

/**
 * The places of pages where features show something of theirs, with the props of the components. The owner of a place declares it by declaration
 * merging, beside the component that renders it.
 */
export interface Places {}

/** The components that a feature shows at places: its `web/places.tsx` and `web/form-places.tsx`, or `admin/places.tsx` for staff. */
export type PlaceComponents = { readonly [Name in keyof Places]?: ComponentType<Places[Name]> }

let features: readonly PlaceComponents[] = []

/** Adds the components of features, in their order on the page. */
export function addPlaces(more: readonly PlaceComponents[]): void {
  features = [...features, ...more]
}

/** All that features show at this place. */
export function Place<Name extends keyof Places>({ name, ...props }: { name: Name } & Places[Name]) {
  return features.map((feature, index) => {
    const Component = feature[name] as ComponentType<object> | undefined
    return Component && <Component key={index} {...props} />
  })
}
